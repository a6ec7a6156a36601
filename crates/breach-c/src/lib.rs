//! Breach's kernel for C. `include/breach.h` says what each function and struct means; this file is the border.
//!
//! Pointers are checked for null and alignment and numbers for being finite before they are used, and no panic crosses
//! into C: a world in which something panicked takes no more calls.
use breach_core::glam::DVec3;
use breach_core::world::{BrushDesc, CastHit, EditError, SurfaceTracker, TriangleId, World};
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The last argument has been written.
    Ok = 0,
    /// A ray or a sphere meets nothing.
    Miss = 1,
    /// Null, or not aligned.
    BadPointer = 2,
    /// A struct of another version.
    WrongSize = 3,
    /// NaN, infinite, out of range, or a shape without an inside.
    BadInput = 4,
    /// The change would have no effect.
    NoEffect = 5,
    /// The world refuses.
    Refused = 6,
    /// A fault in the library.
    Panicked = 7,
}

/// A world, and the triangles reported to its host.
pub struct BreachWorld {
    world: World,
    tracker: SurfaceTracker,
    changed: Vec<Triangle>,
    removed: Vec<Id>,
    pieces: Vec<Piece>,
    /// The corners that the pieces point to.
    piece_points: Vec<Vec<[f64; 3]>>,
    is_broken: bool,
}

/// `breach_triangle_id`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Id {
    room: u32,
    slot: u32,
}

/// `breach_triangle`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    id: Id,
    points: [[f64; 3]; 3],
    normal: [f64; 3],
    material: u32,
    is_bedrock: u32,
}

/// `breach_changes`.
#[repr(C)]
pub struct Changes {
    size: usize,
    changed: *const Triangle,
    changed_count: usize,
    removed: *const Id,
    removed_count: usize,
}

/// `breach_piece`.
#[repr(C)]
pub struct Piece {
    id: u64,
    volume_m3: f64,
    centre: [f64; 3],
    points: *const [f64; 3],
    triangle_count: usize,
}

/// `breach_carved`.
#[repr(C)]
pub struct Carved {
    size: usize,
    volume_m3: f64,
    pieces: *const Piece,
    piece_count: usize,
}

/// `breach_hit`.
#[repr(C)]
pub struct Hit {
    size: usize,
    fraction: f64,
    point: [f64; 3],
    normal: [f64; 3],
    triangle: Id,
}

/// A call that failed, and why.
struct Failure(Status, String);

impl From<EditError> for Failure {
    fn from(error: EditError) -> Failure {
        use breach_core::world::WorldError as Refusal;
        let status = match &error {
            EditError::NotFinite(_)
            | EditError::NoBox { .. }
            | EditError::InsideOut { .. }
            | EditError::TouchesItself { .. } => Status::BadInput,
            EditError::NoEffect(_) => Status::NoEffect,
            EditError::World(refusal) => match refusal {
                Refusal::EmptyBrush | Refusal::BeyondGrid => Status::BadInput,
                Refusal::Surface(_) | Refusal::Shape(_) => Status::BadInput,
                Refusal::Unbreakable => Status::NoEffect,
                Refusal::OutsideBounds | Refusal::Budget { .. } => Status::Refused,
                Refusal::Busy | Refusal::Dropped => Status::Refused,
            },
        };
        Failure(status, error.to_string())
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

fn fail(Failure(status, why): Failure) -> Status {
    let why = CString::new(why).unwrap_or_default();
    LAST_ERROR.with(|last| *last.borrow_mut() = why);
    status
}

/// Runs a call; a panic is a status.
fn guard(call: impl FnOnce() -> Result<Status, Failure>) -> Status {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => fail(failure),
        Err(_) => fail(Failure(Status::Panicked, "a fault in the library".into())),
    }
}

fn check_pointer<T>(pointer: *const T, what: &str) -> Result<(), Failure> {
    if pointer.is_null() || !pointer.is_aligned() {
        let why = format!("{what} is null or not aligned");
        return Err(Failure(Status::BadPointer, why));
    }
    Ok(())
}

/// Three finite numbers.
///
/// # Safety
/// `pointer` is null, or three doubles can be read there.
unsafe fn point(pointer: *const f64, what: &str) -> Result<DVec3, Failure> {
    check_pointer(pointer, what)?;
    // SAFETY: neither null nor misaligned, and the caller has three doubles there.
    let point = DVec3::from_array(unsafe { pointer.cast::<[f64; 3]>().read() });
    match point.is_finite() {
        true => Ok(point),
        false => Err(Failure(
            Status::BadInput,
            format!("{what} is not a number: {point}"),
        )),
    }
}

/// Checks the size that a struct begins with.
///
/// # Safety
/// `pointer` is null, or a size can be read there.
unsafe fn check_size<T>(pointer: *const T, what: &str) -> Result<(), Failure> {
    check_pointer(pointer, what)?;
    // SAFETY: neither null nor misaligned; every such struct begins with its size, which the caller has set.
    let size = unsafe { pointer.cast::<usize>().read() };
    if size != size_of::<T>() {
        let why = format!(
            "{what} is of {size} bytes; this library has {}",
            size_of::<T>()
        );
        return Err(Failure(Status::WrongSize, why));
    }
    Ok(())
}

/// A world for a query.
///
/// # Safety
/// `pointer` is null, or a world that nobody changes meanwhile.
unsafe fn shared<'a>(pointer: *const BreachWorld) -> Result<&'a BreachWorld, Failure> {
    check_pointer(pointer, "the world")?;
    // SAFETY: neither null nor misaligned; the caller has it from `breach_solid_box` and has not freed it.
    let world = unsafe { &*pointer };
    check_whole(world)?;
    Ok(world)
}

/// A world for a change.
///
/// # Safety
/// `pointer` is null, or a world that nobody else uses meanwhile.
unsafe fn owned<'a>(pointer: *mut BreachWorld) -> Result<&'a mut BreachWorld, Failure> {
    check_pointer(pointer, "the world")?;
    // SAFETY: as for `shared`, and nobody else uses it.
    let world = unsafe { &mut *pointer };
    check_whole(world)?;
    Ok(world)
}

fn check_whole(world: &BreachWorld) -> Result<(), Failure> {
    match world.is_broken {
        false => Ok(()),
        true => Err(Failure(
            Status::Panicked,
            "an earlier call has failed half way".into(),
        )),
    }
}

/// See `breach.h`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_solid_box(
    min: *const f64,
    max: *const f64,
    world: *mut *mut BreachWorld,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (min, max) = unsafe { (point(min, "min")?, point(max, "max")?) };
        check_pointer(world, "world")?;
        let made = BreachWorld {
            world: World::solid_box(min, max)?,
            tracker: SurfaceTracker::default(),
            changed: Vec::new(),
            removed: Vec::new(),
            pieces: Vec::new(),
            piece_points: Vec::new(),
            is_broken: false,
        };
        // SAFETY: neither null nor misaligned, and the caller has room for a pointer there.
        unsafe { world.write(Box::into_raw(Box::new(made))) };
        Ok(Status::Ok)
    })
}

/// See `breach.h`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_carve_ball(
    world: *mut BreachWorld,
    centre: *const f64,
    radius: f64,
    carved: *mut Carved,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (world, centre) = unsafe { (owned(world)?, point(centre, "the centre")?) };
        let brush = BrushDesc::ball(centre, radius)?;
        // SAFETY: the caller's promise.
        unsafe { carve(world, &brush, carved) }
    })
}

/// See `breach.h`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_carve_box(
    world: *mut BreachWorld,
    min: *const f64,
    max: *const f64,
    carved: *mut Carved,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let (world, min, max) = unsafe { (owned(world)?, point(min, "min")?, point(max, "max")?) };
        let brush = BrushDesc::cuboid(min, max)?;
        // SAFETY: the caller's promise.
        unsafe { carve(world, &brush, carved) }
    })
}

/// # Safety
/// `carved` is null, or a struct of its kind can be written there.
unsafe fn carve(
    world: &mut BreachWorld,
    brush: &BrushDesc,
    carved: *mut Carved,
) -> Result<Status, Failure> {
    if !carved.is_null() {
        // SAFETY: not null, so it is one of its kind.
        unsafe { check_size(carved, "carved")? };
    }
    // Stays set if the change panics.
    world.is_broken = true;
    let done = world.world.carve(brush);
    world.is_broken = false;
    let done = done?;
    let points = done.pieces.iter().map(|piece| {
        let mesh = &piece.solid.mesh;
        let corners = mesh.triangles.iter().flat_map(|t| t.corners);
        corners
            .map(|c| mesh.positions[c as usize].to_array())
            .collect()
    });
    world.piece_points = points.collect();
    let pieces = done.pieces.iter().zip(&world.piece_points);
    let pieces = pieces.map(|(piece, points): (_, &Vec<[f64; 3]>)| Piece {
        id: piece.id,
        volume_m3: piece.solid.volume_m3,
        centre: piece.solid.centre.to_array(),
        points: points.as_ptr(),
        triangle_count: points.len() / 3,
    });
    world.pieces = pieces.collect();
    if !carved.is_null() {
        let report = Carved {
            size: size_of::<Carved>(),
            volume_m3: done.report.volume_m3,
            pieces: world.pieces.as_ptr(),
            piece_count: world.pieces.len(),
        };
        // SAFETY: neither null nor misaligned, of this size, and the caller's own.
        unsafe { carved.write(report) };
    }
    Ok(Status::Ok)
}

/// See `breach.h`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_changed_triangles(
    world: *mut BreachWorld,
    changes: *mut Changes,
) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let own = unsafe {
            check_size(changes, "changes")?;
            owned(world)?
        };
        own.is_broken = true;
        let seen = own.tracker.update(&own.world);
        own.changed.clear();
        own.changed.extend(seen.changed.iter().map(|t| Triangle {
            id: id(t.id),
            points: t.points.map(|p| p.to_array()),
            normal: t.normal.to_array(),
            material: t.material,
            is_bedrock: u32::from(own.world.is_bedrock(t.material)),
        }));
        own.removed.clear();
        own.removed.extend(seen.removed.iter().map(|t| id(*t)));
        own.is_broken = false;
        let report = Changes {
            size: size_of::<Changes>(),
            changed: own.changed.as_ptr(),
            changed_count: own.changed.len(),
            removed: own.removed.as_ptr(),
            removed_count: own.removed.len(),
        };
        // SAFETY: neither null nor misaligned, of this size, and the caller's own.
        unsafe { changes.write(report) };
        Ok(Status::Ok)
    })
}

/// See `breach.h`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_cast_ray(
    world: *const BreachWorld,
    from: *const f64,
    to: *const f64,
    hit: *mut Hit,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { cast(world, (from, to), 0.0, hit) })
}

/// See `breach.h`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_sweep_sphere(
    world: *const BreachWorld,
    from: *const f64,
    to: *const f64,
    radius: f64,
    hit: *mut Hit,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { cast(world, (from, to), radius, hit) })
}

/// # Safety
/// Pointers are null or lead to what the header says.
unsafe fn cast(
    world: *const BreachWorld,
    (from, to): (*const f64, *const f64),
    radius: f64,
    hit: *mut Hit,
) -> Result<Status, Failure> {
    // SAFETY: the caller's promise.
    let (world, from, to) = unsafe {
        check_size(hit, "hit")?;
        (shared(world)?, point(from, "from")?, point(to, "to")?)
    };
    if !(radius.is_finite() && radius >= 0.0) {
        let why = format!("the radius is {radius}; it must be 0 or more");
        return Err(Failure(Status::BadInput, why));
    }
    let Some(found) = world.world.sweep(from, to, radius) else {
        return Ok(Status::Miss);
    };
    let CastHit {
        fraction,
        point,
        normal,
        room,
        triangle,
    } = found;
    let found = Hit {
        size: size_of::<Hit>(),
        fraction,
        point: point.to_array(),
        normal: normal.to_array(),
        triangle: id(TriangleId {
            room,
            slot: triangle,
        }),
    };
    // SAFETY: neither null nor misaligned, of this size, and the caller's own.
    unsafe { hit.write(found) };
    Ok(Status::Ok)
}

fn id(id: TriangleId) -> Id {
    Id {
        room: id.room,
        slot: id.slot,
    }
}

/// See `breach.h`.
#[unsafe(no_mangle)]
pub extern "C" fn breach_last_error() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// See `breach.h`.
///
/// # Safety
/// `world` is null, or from `breach_solid_box` and not freed yet; nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breach_free(world: *mut BreachWorld) {
    guard(|| {
        if !world.is_null() {
            // SAFETY: it was boxed by `breach_solid_box`, and the caller gives it back once.
            drop(unsafe { Box::from_raw(world) });
        }
        Ok(Status::Ok)
    });
}
