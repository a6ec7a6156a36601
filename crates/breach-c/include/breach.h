/* Breach's kernel for C: a solid block, holes in it, the triangles that changed, the pieces that fell, rays.
 *
 * Metres, y up, right-handed. Triangles run counter-clockwise seen from the air. Link libbreach_c.a with -lpthread -ldl -lm,
 * or libbreach_c.so / breach_c.dll / libbreach_c.dylib.
 *
 * Every function returns a status and nothing else; what it found is behind its last argument, which is written only where
 * the status is BREACH_OK. Structs that are written begin with their size: set it to sizeof before the call, so that a
 * header and a library of different versions notice. A world may be asked by several threads at once, and changed by one
 * thread while no other uses it. Whatever a world points at (triangles, pieces) is valid until the next call that says it
 * replaces it, or until the world is freed. */
#ifndef BREACH_H
#define BREACH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum breach_status {
	BREACH_OK = 0,
	/* A ray or a sphere meets nothing. */
	BREACH_MISS = 1,
	/* A pointer is null or not aligned for its type. */
	BREACH_BAD_POINTER = 2,
	/* A struct's size is not what this library has. */
	BREACH_WRONG_SIZE = 3,
	/* A number is NaN, infinite or out of range, or a shape has no inside. */
	BREACH_BAD_INPUT = 4,
	/* A change would have no effect: only air there, or nothing that may be taken. */
	BREACH_NO_EFFECT = 5,
	/* The world refuses: outside its bounds, or more memory than it may use. */
	BREACH_REFUSED = 6,
	/* A fault in the library. The world takes no more calls but breach_free. */
	BREACH_PANICKED = 7
} breach_status;

/* A level that can be destroyed. */
typedef struct breach_world breach_world;

/* Names a triangle for as long as it lives; a later one may get the same name and takes its place then. */
typedef struct breach_triangle_id {
	uint32_t room;
	uint32_t slot;
} breach_triangle_id;

typedef struct breach_triangle {
	breach_triangle_id id;
	/* Three corners, metres. */
	double points[3][3];
	/* Unit, into the air. */
	double normal[3];
	/* 0 is the block's own. */
	uint32_t material;
	/* Not 0 for the world's bounds, which most hosts do not draw. */
	uint32_t is_bedrock;
} breach_triangle;

typedef struct breach_changes {
	/* sizeof(breach_changes) */
	size_t size;
	/* New, or other than before under the same id: put these in. */
	const breach_triangle *changed;
	size_t changed_count;
	/* No longer there: take these out. */
	const breach_triangle_id *removed;
	size_t removed_count;
} breach_changes;

typedef struct breach_piece {
	/* 0 for the first piece that fell in this world, then one more for each. */
	uint64_t id;
	double volume_m3;
	/* Centre of mass, metres. */
	double centre[3];
	/* Its triangles' corners where it was cut out, counter-clockwise from outside: 3 * triangle_count points. */
	const double (*points)[3];
	size_t triangle_count;
} breach_piece;

typedef struct breach_carved {
	/* sizeof(breach_carved) */
	size_t size;
	/* Solid that became air, pieces left out. */
	double volume_m3;
	/* Pieces cut free: they have left the world. */
	const breach_piece *pieces;
	size_t piece_count;
} breach_carved;

typedef struct breach_hit {
	/* sizeof(breach_hit) */
	size_t size;
	/* Part of the way, 0 to 1. */
	double fraction;
	double point[3];
	double normal[3];
	breach_triangle_id triangle;
} breach_hit;

/* A solid block that hangs in air, with at least 8 m of air around it and bedrock around that; cut in two, the larger part
 * stays. Free it with breach_free. */
breach_status breach_solid_box(const double min[3], const double max[3], breach_world **world);

/* Takes a ball (80 sides, radius 0.01 to 10 m) out of the solid. `carved` may be NULL; its pieces are valid until the next
 * carve. */
breach_status breach_carve_ball(breach_world *world, const double centre[3], double radius, breach_carved *carved);

/* Takes a box along the axes out of the solid. `carved` as above. */
breach_status breach_carve_box(breach_world *world, const double min[3], const double max[3], breach_carved *carved);

/* The triangles that are other than at the last call; at the first call all. Valid until the next call. */
breach_status breach_changed_triangles(breach_world *world, breach_changes *changes);

/* The first surface between two points. */
breach_status breach_cast_ray(const breach_world *world, const double from[3], const double to[3], breach_hit *hit);

/* The first contact of a sphere that moves from one point to another. */
breach_status breach_sweep_sphere(const breach_world *world, const double from[3], const double to[3], double radius,
                                  breach_hit *hit);

/* Why the last call of this thread that failed did so; empty before. Valid until the next call of this thread that fails. */
const char *breach_last_error(void);

/* NULL is allowed. */
void breach_free(breach_world *world);

#ifdef __cplusplus
}
#endif

#endif
