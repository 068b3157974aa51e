// Nothing of it is for kernels.
#pragma once
