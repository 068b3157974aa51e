// This header is empty because device code uses nothing of it.
#pragma once
