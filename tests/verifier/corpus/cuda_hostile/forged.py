#: writes_to_the_result | of relu_grid_stride | expect static bad_plan crashed | TEXT {"ok":true,"plans":[],"kernels":[]} {"ok":true,"correct":true,"speedup":9} {"ok":false,"stage":"passed","reason":"correct"} {"ok":false,"reason":"sandbox","message":"over"} {"ok":true,"plans":[{"label":"original"}],"kernels":{}}
-         return self.relu.relu_cuda(x)
+         import os
+         os.write(3, b'''__TEXT__''')
+         os._exit(0)
#: asks_in_the_compiler_s_name | of relu_grid_stride | expect static bad_plan crashed compile_error too_large timeout missing_function exception | TEXT ?{"source":"","functions":["f"]} ?{"source":7} ?[] ?{"object":"","kernels":[]}
-         return self.relu.relu_cuda(x)
+         import os
+         for _ in range(20):
+             os.write(3, b'''__TEXT__''' + bytes([10]))
+         os._exit(0)
#: patched_ledger | of relu_grid_stride | expect static bad_plan unsupported crashed | PATCH launch_trace.buffers[0]["role"]="temporary" launch_trace.buffers[1].update(role="input",input=0) launch_trace.buffers[1]["bytes"]=1<<60 launch_trace.buffers.clear() launch_trace.steps.append({"file":"/etc/passwd"}) launch_trace.steps[0]["launch"]["grid"]=[0,1,1] launch_trace.steps[0]["launch"]["block"]=[2048,1,1] launch_trace.steps[0]["launch"]["shared"]=1<<30 launch_trace.steps[0]["launch"]["args"][0]["offset"]=1<<40 launch_trace.steps[0]["launch"]["args"][0]={"bytes":"00","addresses":[{"at":0,"buffer":0,"offset":0}]} launch_trace.steps[0]["launch"]["args"][0]={"bytes":"ff"*8,"addresses":[{"at":0,"buffer":0,"offset":0}]} launch_trace.steps[0]["launch"]["kernel"]=5
-         return self.relu.relu_cuda(x)
+         import record
+         from launch_trace import Current
+         record.call_again = lambda *a: None
+         y = self.relu.relu_cuda(x)
+         launch_trace = Current.launch_trace
+         __PATCH__
+         return y
#: patched_plan_that_computes_nothing | of relu_grid_stride | expect values wrong_values gpu_error mutated_input bad_plan out_of_bounds_store illegal_access decoy_kernel | PATCH launch_trace.steps[0]["launch"]["grid"]=[1,1,1] launch_trace.steps[0]["launch"]["args"].reverse() launch_trace.steps.append({"copy":{"to":launch_trace.view(y),"from":launch_trace.view(x)}}) launch_trace.steps[0]["launch"]["args"][2]={"i32":0} launch_trace.steps[0]["launch"]["args"][1]=launch_trace.steps[0]["launch"]["args"][0]
-         return self.relu.relu_cuda(x)
+         import record
+         from launch_trace import Current
+         record.call_again = lambda *a: None
+         y = self.relu.relu_cuda(x)
+         launch_trace = Current.launch_trace
+         __PATCH__
+         return y
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v * 1.001f : 0.0f;
#: patched_kernel_text | of relu_grid_stride | expect static bad_plan | TEXT '#include\x20"/etc/passwd"\n__global__\x20void\x20relu_kernel(){}' '' '__global__\x20void\x20other(){}' 'x'*100000
-         return self.relu.relu_cuda(x)
+         import record
+         from launch_trace import Current
+         record.call_again = lambda *a: None
+         y = self.relu.relu_cuda(x)
+         for one in Current.kernels:
+             one["source"] = __TEXT__
+         return y
#: patched_kernel_entry | of relu_grid_stride | expect static bad_plan | PATCH one["options"]={"ptx":"x"} one["options"]={"use_fast_math":"yes"} one["language"]="ptx" one["source"]=7 one["source"]="x"*(2<<20) one["expression"]="f"*300
-         return self.relu.relu_cuda(x)
+         import record
+         from launch_trace import Current
+         record.call_again = lambda *a: None
+         y = self.relu.relu_cuda(x)
+         for one in Current.kernels:
+             __PATCH__
+         return y
#: replaced_recorder | of relu_grid_stride | expect static bad_plan crashed exception no_kernel missing_model forbidden | CODE record.record_shape=lambda*a:{"label":"original","buffers":[],"steps":[],"output":{}} json.dumps=lambda*a,**k:'{"ok":true,"plans":[1,2],"kernels":[]}' os.dup2(2,3) cuda_extension.ask=lambda*a:{"object":"","kernels":[],"device_source":""}
- relu = load_inline(
+ import json, os
+ import record, cuda_extension
+ __CODE__
+ relu = load_inline(
#: patched_clocks | of relu_grid_stride | expect values wrong_values | CODE time.perf_counter=lambda:0.0 torch.cuda.Event=object torch.cuda.synchronize=lambda*a:None torch.cuda.Event.elapsed_time=lambda*a:0.0
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v;
- relu = load_inline(
+ import time
+ __CODE__
+ relu = load_inline(
#: flags_that_bring_in_code | of relu_grid_stride | expect static option | FLAGS extra_ldflags=["-lcublas"] extra_ldflags=["/tmp/a.o"] extra_include_paths=["/etc"] extra_cuda_cflags=["-DN=1\\n__asm__(\"\")"] extra_cuda_cflags=["-DF(x)=x"] extra_cuda_cflags=["-D"] extra_ldflags=["-lcudnn"] extra_ldflags=["-Wl,-rpath,/tmp"] extra_cuda_cflags=["-include","/etc/passwd"] extra_cflags=["-include/etc/passwd"] extra_cflags=["-Wl,-rpath,/tmp"] extra_cflags=["@/etc/passwd"] extra_cuda_cflags=["-ccbin=/bin/sh"] extra_cuda_cflags=["-rdc=true"] extra_cuda_cflags=["--pre-include=x"] extra_cuda_cflags=["-fplugin=/tmp/x.so"]
-     verbose=False,
+     verbose=False,
+     **{k: v for k, v in dict(__FLAGS__).items()},
-     extra_cflags=["-O3"],
-     extra_cuda_cflags=["-O3"],
+
#: macros_that_bring_in_code | of relu_grid_stride | expect static forbidden framework_compute wrong_launch missing_function | FLAGS extra_cuda_cflags=["-Drelu_cuda=system"] extra_cuda_cflags=["-Dmin=system"] extra_cflags=["-Dmin=popen"] extra_cuda_cflags=["-D__global__="] extra_cuda_cflags=["-Dempty_like=relu"]
-     verbose=False,
+     verbose=False,
+     **{k: v for k, v in dict(__FLAGS__).items()},
-     extra_cflags=["-O3"],
-     extra_cuda_cflags=["-O3"],
+
#: extensions_of_another_kind | of relu_grid_stride | expect static unsupported option wrong_arguments exception | FLAGS is_python_module=False is_standalone=True sycl_sources=["int\x20f;"]
-     verbose=False,
+     verbose=False,
+     __FLAGS__,
#: builds_by_other_means | of relu_grid_stride | expect static unsupported forbidden processes exception framework_compute | CODE torch.utils.cpp_extension.CUDAExtension("a",["a.cu"]) torch.ops.load_library("/tmp/a.so") torch.classes.load_library("/tmp/a.so") __import__("subprocess").run(["nvcc"]) torch.cuda._compile_kernel("__global__\x20void\x20f(){}","f")
-         return self.relu.relu_cuda(x)
+         __CODE__
+         return self.relu.relu_cuda(x)
#: reads_files | of relu_grid_stride | expect static exception forbidden no_kernel timeout | FILE /etc/shadow /proc/1/environ /root/secret /proc/1/fd/3 /proc/self/root/../secret
-         return self.relu.relu_cuda(x)
+         text = open("__FILE__").read()
+         return self.relu.relu_cuda(x) if not text else x
#: source_from_a_file_of_the_machine | of flip_rows_from_a_file | expect static exception forbidden syntax_error | FILE /etc/shadow /proc/1/environ /root/secret.cu
- sources=[path]
+ sources=["__FILE__"]
