#: calls_that_reach_the_system | of relu_grid_stride | expect static forbidden | CALL fopen("/etc/passwd","r") system("id") popen("id","r") getenv("HOME") dlopen("libc.so.6",1) fork() socket(2,1,0) kill(1,9) syscall(59) mmap(nullptr,1,7,2,-1,0) ptrace(16,1,0,0) write(3,"x",1) usleep(1)
- #include <cuda_runtime.h>
+ #include <cstdio>
+ #include <cstdlib>
-   return y;
+   (void)__CALL__;
+   return y;
#: headers_that_reach_the_system | of relu_grid_stride | expect static forbidden | HEADER fstream filesystem unistd.h dlfcn.h sys/socket.h sys/ptrace.h thread chrono signal.h linux/perf_event.h /etc/passwd ../../secret
- #include <cuda_runtime.h>
+ #include <__HEADER__>
#: declares_the_system_itself | of relu_grid_stride | expect static forbidden | DECLARATION extern\x20"C"\x20int\x20system(const\x20char*); extern\x20"C"\x20long\x20syscall(long,...);inline\x20int\x20system(const\x20char*){return\x20(int)syscall(59);} int\x20system(const\x20char*)__asm__("system");
- __global__ void relu_kernel(
+ __DECLARATION__
+ __global__ void relu_kernel(
-   return y;
+   system("id");
+   return y;
#: runs_before_it_is_called | of relu_grid_stride | expect static forbidden | EARLY __attribute__((constructor))\x20static\x20void\x20early(){ran=1;} __attribute__((destructor))\x20static\x20void\x20late(){ran=1;} int\x20made(){return\x20++ran;}int\x20value=made(); struct\x20Early{Early(){ran=1;}}early;
- __global__ void relu_kernel(
+ static int ran = 0;
+ __EARLY__
+ __global__ void relu_kernel(
#: assembly_on_the_host | of relu_grid_stride | expect static unsupported | TEXT syscall int\x20$0x80 hlt
-   return y;
+   asm volatile("__TEXT__");
+   return y;
#: assembly_beside_functions | of relu_grid_stride | expect static unsupported | TEXT .globl\x20early .section\x20.init_array .incbin\x20\\"/etc/passwd\\"
- __global__ void relu_kernel(
+ asm("__TEXT__");
+ __global__ void relu_kernel(
#: jumps_into_nowhere | of relu_grid_stride | expect static crashed timeout exception | TO 0x1000 (char*)&memcpy+77 (char*)&x
-   return y;
+   reinterpret_cast<void (*)()>(__TO__)();
+   return y;
#: machine_code_as_data | of relu_grid_stride | expect static crashed bad_plan timeout forbidden | CALL raw(1,3,(long)"{\\"ok\\":true,\\"plans\\":[],\\"kernels\\":[]}",36) raw(59,(long)"/bin/sh",0,0) raw(62,1,9,0) raw(57,0,0,0)
- __global__ void relu_kernel(
+ // rax, rdi, rsi, rdx; syscall; ret
+ static const unsigned char code[] = {0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca,
+                                      0x0f, 0x05, 0xc3};
+ static long raw(long number, long a, long b, long c) {
+   return reinterpret_cast<long (*)(long, long, long, long)>(const_cast<unsigned char*>(code))(number, a, b, c);
+ }
+ __global__ void relu_kernel(
-   return y;
+   __CALL__;
+   raw(231, 0, 0, 0);
+   return y;
#: throws_a_verdict | of relu_grid_stride | expect static exception | TEXT ok correct needs_gpu
-   return y;
+   throw std::runtime_error("__TEXT__");
#: endless_in_the_wrapper | of relu_grid_stride | expect static timeout memory crashed | CODE for(volatile\x20int\x20k=0;;)k=k+1; std::vector<long>\x20v;for(;;)v.push_back(1); struct\x20R{static\x20int\x20f(int\x20n){volatile\x20char\x20c[999];c[n%999]=1;return\x20f(n+1)+c[n%7];}};if(R::f(1))return\x20x;
-   return y;
+   __CODE__
+   return y;
#: templates_without_end | of relu_grid_stride | expect static syntax_error timeout memory crashed too_large compile_error
- __global__ void relu_kernel(
+ template <int n>
+ struct Many {
+   static constexpr long value = Many<n * 2>::value + Many<n * 2 + 1>::value;
+ };
+ constexpr long many = Many<1>::value;
+ __global__ void relu_kernel(
