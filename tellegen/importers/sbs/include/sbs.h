/* The older name of the interface. */
#include "tellegen_sbs.h"
