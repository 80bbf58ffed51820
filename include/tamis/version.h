/* The version of this library and program. */
#ifndef TAMIS_VERSION_H
#define TAMIS_VERSION_H

#define TAMIS_VERSION "1.0.0"

#endif
