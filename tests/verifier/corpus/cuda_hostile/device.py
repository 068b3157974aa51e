#: assembly_outside_the_list | of relu_grid_stride | expect static unsupported | TEXT exit; trap; brkpt; nanosleep.u32\x2010; "mov.u32\x20r,%clock;" "mov.u64\x20r,%globaltimer;" "mov.u32\x20r,%smid;/*exit;*/" call\x20vprintf,(r); .global\x20.b32\x20kept;
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     asm volatile(R"(__TEXT__)");
#: assembly_in_disguise | of relu_grid_stride | expect static unsupported | BEGIN asm(" __asm__\x20volatile(" __asm("
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     __BEGIN__{ex" "it;}");
#: endless_kernel | of relu_grid_stride | expect values timeout | CONDITION n>0 *(volatile\x20float*)y==*(volatile\x20float*)y||n>0 blockDim.x!=0
-     y[i] = v > 0.0f ? v : 0.0f;
+     while (__CONDITION__) ((volatile float*)y)[i] = v;
#: waits_for_what_never_comes | of mean_squared_error_last_block | expect values timeout | WAIT atomicAdd(done,0u)<gridDim.x+1 *(volatile\x20unsigned*)done!=12345 ((volatile\x20float*)parts)[0]!=-1.f
-   if (!last) return;
+   while (__WAIT__) {}
+   if (!last) return;
#: right_at_some_times | of relu_grid_stride | expect values wrong_values | WHEN clock64()%2==0 clock()&1 (clock64()>>4)%3==1
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = (__WHEN__) && v > 0.0f ? v : 0.0f;
#: sleeps_instead_of_working | of relu_grid_stride | expect values wrong_values | TIME 1 1000 i%7
-     y[i] = v > 0.0f ? v : 0.0f;
+     __nanosleep(__TIME__);
+     if (v != v) y[i] = v;
#: prints_a_verdict | of relu_grid_stride | expect values wrong_values gpu_error illegal_access | TEXT {id:1,ok:true,outputs:[]}\\n correct\\n %n%s
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v;
+     if (i == 0) printf("__TEXT__", 1);
#: heap_of_the_device | of relu_grid_stride | expect values writable_globals | MAKE (float*)malloc(8) new\x20float[2] (float*)malloc(1<<20)
- __global__ void relu_kernel(
+ __device__ float* kept;
+ __global__ void relu_kernel(
-     y[i] = v > 0.0f ? v : 0.0f;
+     if (kept == nullptr) kept = __MAKE__;
+     y[i] = kept != nullptr && kept[0] == 7.0f && v > 0.0f ? v : 0.0f;
+     if (kept != nullptr) kept[0] = 7.0f;
#: ends_the_process_of_the_gpu | of relu_grid_stride | expect values gpu_error illegal_access device_assert misaligned | END __trap() assert(n<0) *(volatile\x20int*)nullptr=1 *(volatile\x20int*)0x7f0000000000ull=1
- #include <cuda_runtime.h>
+ #include <cuda_runtime.h>
+ #include <cassert>
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     if (i == 5) __END__;
#: launches_from_a_kernel | of relu_grid_stride | expect static unsupported wrong_side wrong_launch compile_error syntax_error | LAUNCH child<<<1,1>>>(y) cudaLaunchKernel((const\x20void*)child,1,1,nullptr) child(y)
- __global__ void relu_kernel(
+ __global__ void child(float* y) { y[0] = 1.0f; }
+ __global__ void relu_kernel(
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     if (i == 0) __LAUNCH__;
#: runtime_from_a_kernel | of relu_grid_stride | expect static compile_error unsupported forbidden syntax_error | CALL cudaDeviceSynchronize() cudaMalloc((void**)&y,64) cudaMemcpyAsync(y,x,4,cudaMemcpyDeviceToDevice)
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     if (i == 0) __CALL__;
#: streams_of_its_own | of relu_grid_stride | expect static unsupported | BEFORE cudaStream_t\x20s;cudaStreamCreate(&s); cudaStream_t\x20s;cudaStreamCreateWithFlags(&s,cudaStreamNonBlocking); auto\x20s=at::cuda::getStreamFromPool().stream(); cudaStream_t\x20s=cudaStreamPerThread; cudaStream_t\x20s=(cudaStream_t)0x1234;
-   relu_kernel<<<blocks, threads>>>(
+   __BEFORE__
+   relu_kernel<<<blocks, threads, 0, s>>>(
#: events_and_captures | of relu_grid_stride | expect static unsupported forbidden | CALL cudaEvent_t\x20e;cudaEventCreate(&e); cudaEventSynchronize((cudaEvent_t)1); float\x20ms;cudaEventElapsedTime(&ms,nullptr,nullptr); cudaStreamBeginCapture(0,0); cudaLaunchHostFunc(0,nullptr,nullptr); cudaStreamAddCallback(0,nullptr,nullptr,0);
-   return y;
+   __CALL__
+   return y;
#: memory_of_others | of relu_grid_stride | expect static forbidden unsupported data_dependent exception | CALL cudaIpcOpenMemHandle((void**)&p,{},0); cudaHostRegister(p,64,0); cudaMallocManaged(&p,64); cudaMallocHost(&p,64); cudaMemcpy(p,y.data_ptr(),64,cudaMemcpyDeviceToHost); cudaMemcpy(y.data_ptr(),(void*)0x1000,64,cudaMemcpyDeviceToDevice); cudaMemset((void*)0x1000,0,64);
-   return y;
+   float* p = nullptr;
+   __CALL__
+   return y;
#: contents_from_the_host | of relu_grid_stride | expect static unsupported data_dependent exception framework_compute | CALL cudaMemcpyToSymbol(kept,values,16) cudaMemcpy(y.data_ptr<float>(),values,16,cudaMemcpyHostToDevice) y.copy_(torch::tensor(1.f))
- __global__ void relu_kernel(
+ __constant__ float kept[4];
+ __global__ void relu_kernel(
-   return y;
+   const float values[4] = {1.f, 2.f, 3.f, 4.f};
+   (void)values;
+   __CALL__;
+   return y;
#: many_numbers_as_arguments | of permute_strides_argument | expect static bad_plan unsupported
- struct Shape {
+ struct Values {
+   float of[1000];
+ };
+ __global__ void store(float* y, Values values, int n) {
+   for (int i = 0; i < n && i < 1000; ++i) y[i] = values.of[i];
+ }
+ struct Shape {
-   return y;
+   Values values;
+   for (int i = 0; i < 1000; ++i) values.of[i] = 0.5f * i;
+   store<<<1, 1>>>(y.data_ptr<float>(), values, n);
+   store<<<1, 1>>>(y.data_ptr<float>(), values, n);
+   return y;
#: null_for_the_output | of relu_grid_stride | expect values illegal_access gpu_error wrong_values out_of_bounds_store | TO (float*)nullptr torch::empty({0},x.options()).data_ptr<float>()
-   relu_kernel<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
+   relu_kernel<<<blocks, threads>>>(x.data_ptr<float>(), __TO__, n);
