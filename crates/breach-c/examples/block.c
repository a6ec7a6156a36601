/* A block, a hole, a cut that frees an end, the triangles that changed, a ray; and what bad input comes to. */
#include "breach.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(breach_status status, breach_status expected, const char *what)
{
	if (status != expected) {
		fprintf(stderr, "%s: status %d, not %d: %s\n", what, (int)status, (int)expected, breach_last_error());
		exit(1);
	}
}

int main(void)
{
	const double min[3] = {0, 0, 0}, max[3] = {6, 3, 0.5};
	breach_world *world = NULL;
	must(breach_solid_box(min, max, &world), BREACH_OK, "a block");

	breach_changes changes = {.size = sizeof changes};
	must(breach_changed_triangles(world, &changes), BREACH_OK, "all triangles");
	size_t own = 0;
	for (size_t i = 0; i < changes.changed_count; i++)
		own += changes.changed[i].is_bedrock == 0;
	printf("the block has %zu triangles\n", own);

	const double centre[3] = {1.5, 1.5, 0.5};
	breach_carved carved = {.size = sizeof carved};
	must(breach_carve_ball(world, centre, 0.75, &carved), BREACH_OK, "a hole");
	must(breach_changed_triangles(world, &changes), BREACH_OK, "the hole's triangles");
	printf("a hole of %.3f m3: %zu triangles to put, %zu to take away\n", carved.volume_m3, changes.changed_count,
	       changes.removed_count);

	const double low[3] = {4, -1, -1}, high[3] = {4.25, 4, 1};
	must(breach_carve_box(world, low, high, &carved), BREACH_OK, "a cut");
	for (size_t i = 0; i < carved.piece_count; i++)
		printf("piece %llu fell: %.3f m3, %zu triangles, its first corner at x = %.2f\n",
		       (unsigned long long)carved.pieces[i].id, carved.pieces[i].volume_m3, carved.pieces[i].triangle_count,
		       carved.pieces[i].points[0][0]);

	const double from[3] = {3, 1.5, 5}, to[3] = {3, 1.5, -5};
	breach_hit hit = {.size = sizeof hit};
	must(breach_cast_ray(world, from, to, &hit), BREACH_OK, "a ray");
	printf("a ray meets the block at z = %.2f, room %u, slot %u\n", hit.point[2], (unsigned)hit.triangle.room,
	       (unsigned)hit.triangle.slot);
	must(breach_sweep_sphere(world, from, to, 0.5, &hit), BREACH_OK, "a sphere");
	printf("a sphere of 0.5 m stops after %.2f m\n", hit.fraction * 10);
	const double past[3] = {3, 9, 5}, away[3] = {3, 9, -5};
	must(breach_cast_ray(world, past, away, &hit), BREACH_MISS, "a ray past it");

	/* Nothing of this may crash. */
	const double nan[3] = {NAN, 0, 0};
	breach_world *none = NULL;
	must(breach_solid_box(NULL, max, &none), BREACH_BAD_POINTER, "no corner");
	must(breach_solid_box(min, max, NULL), BREACH_BAD_POINTER, "nowhere to put it");
	must(breach_solid_box(min, nan, &none), BREACH_BAD_INPUT, "no number");
	must(breach_solid_box(max, min, &none), BREACH_BAD_INPUT, "an inverted box");
	must(breach_carve_ball(NULL, centre, 1, NULL), BREACH_BAD_POINTER, "no world");
	must(breach_carve_ball(world, nan, 1, NULL), BREACH_BAD_INPUT, "nowhere");
	must(breach_carve_ball(world, centre, NAN, NULL), BREACH_BAD_INPUT, "no radius");
	must(breach_carve_ball(world, past, 0.5, NULL), BREACH_NO_EFFECT, "a hole in the air");
	const double far[3] = {900, 0, 0};
	must(breach_carve_ball(world, far, 0.5, NULL), BREACH_REFUSED, "out of bounds");
	must(breach_cast_ray(world, nan, to, &hit), BREACH_BAD_INPUT, "a ray from nowhere");
	must(breach_sweep_sphere(world, from, to, -1, &hit), BREACH_BAD_INPUT, "a negative radius");
	hit.size--;
	must(breach_cast_ray(world, from, to, &hit), BREACH_WRONG_SIZE, "another version's struct");
	printf("refused: %s\n", breach_last_error());
	changes.size = 0;
	must(breach_changed_triangles(world, &changes), BREACH_WRONG_SIZE, "no size");

	breach_free(world);
	breach_free(NULL);
	return 0;
}
