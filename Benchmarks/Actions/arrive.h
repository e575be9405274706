// What `reach` and the programs that it measures agree on.

#ifndef ARRIVE_H
#define ARRIVE_H

#define ARRIVE_TOPIC "measured/lever"

#endif
