#include "CBoards.h"
