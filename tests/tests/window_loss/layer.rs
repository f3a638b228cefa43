//! A Vulkan layer that takes the device away: from the frame on in which the planet has been drawn so many times, every submission
//! answers VK_ERROR_DEVICE_LOST, as a driver does that was reset. What uses the device knows nothing of it.
//!
//! `OROGEN_LOSSES=20,5`: the first device is lost after 20 drawings, the second after 5, others never. A library of its own, made
//! with `rustc --crate-type cdylib` by the test that loads it.

use std::{
    collections::HashMap,
    ffi::{CStr, c_char, c_void},
    mem::transmute,
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst},
    },
};

/// Indices of a drawing that is the planet's: text has fewer.
const MANY: u32 = 4000;
const DEVICE_LOST: i32 = -4;
const FAILED: i32 = -3;
/// Types of the loader's own structures.
const INSTANCE_LINKS: u32 = 47;
const DEVICE_LINKS: u32 = 48;

type Handle = *mut c_void;
type Function = Option<unsafe extern "system" fn()>;
type GetProcAddr = unsafe extern "system" fn(Handle, *const c_char) -> Function;
type CreateInstance = unsafe extern "system" fn(*const Header, *const c_void, *mut Handle) -> i32;
type CreateDevice = unsafe extern "system" fn(Handle, *const Header, *const c_void, *mut Handle) -> i32;
type QueueSubmit = unsafe extern "system" fn(Handle, u32, *const c_void, u64) -> i32;
type DrawIndexed = unsafe extern "system" fn(Handle, u32, u32, u32, i32, u32);

/// Begins every structure of Vulkan.
#[repr(C)]
struct Header {
    kind: u32,
    next: *mut Header,
}

/// What the loader tells a layer about those behind it.
#[repr(C)]
struct Links {
    header: Header,
    /// 0: `link` is one.
    function: u32,
    link: *mut Link,
}

#[repr(C)]
struct Link {
    next: *mut Link,
    instance: GetProcAddr,
    device: Function,
}

#[repr(C)]
pub struct Negotiation {
    header: Header,
    version: u32,
    instance: Option<GetProcAddr>,
    device: Option<GetProcAddr>,
    physical_device: Function,
}

/// A device, and what is behind the layer.
#[derive(Clone, Copy)]
struct Device {
    next: GetProcAddr,
    submit: QueueSubmit,
    draw: DrawIndexed,
    /// Drawings that are left to it; `None`: it is never lost.
    left: Option<u32>,
}

static INSTANCE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static NEXT: AtomicUsize = AtomicUsize::new(0);
static MADE: AtomicUsize = AtomicUsize::new(0);
/// By what devices, their queues and command buffers have in common: the address of their table of functions.
static DEVICES: Mutex<Option<HashMap<usize, Device>>> = Mutex::new(None);

fn with_device<T>(handle: Handle, f: impl FnOnce(&mut Device) -> T) -> T {
    let mut devices = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: every dispatchable handle points to the address of its table.
    let table = unsafe { *handle.cast::<usize>() };
    f(devices.get_or_insert_default().get_mut(&table).expect("a device that was made here"))
}

/// The links of a structure's chain, moved on for the next layer.
unsafe fn link(info: *const Header, kind: u32) -> Option<(GetProcAddr, Function)> {
    // SAFETY: the loader's chain ends in null, and holds the links of this layer.
    unsafe {
        let mut at = (*info).next;
        while !at.is_null() {
            let links = at.cast::<Links>();
            if (*at).kind == kind && (*links).function == 0 {
                let link = (*links).link;
                (*links).link = (*link).next;
                return Some(((*link).instance, (*link).device));
            }
            at = (*at).next;
        }
    }
    None
}

unsafe extern "system" fn create_instance(info: *const Header, allocator: *const c_void, out: *mut Handle) -> i32 {
    // SAFETY: handed on as they came.
    unsafe {
        let Some((next, _)) = link(info, INSTANCE_LINKS) else { return FAILED };
        let Some(create) = next(null_mut(), c"vkCreateInstance".as_ptr()) else { return FAILED };
        let result = transmute::<_, CreateInstance>(create)(info, allocator, out);
        if result == 0 {
            INSTANCE.store(*out, SeqCst);
            NEXT.store(next as usize, SeqCst);
        }
        result
    }
}

unsafe extern "system" fn create_device(
    physical: Handle,
    info: *const Header,
    allocator: *const c_void,
    out: *mut Handle,
) -> i32 {
    // SAFETY: handed on as they came.
    unsafe {
        let Some((instance, Some(device))) = link(info, DEVICE_LINKS) else { return FAILED };
        let next = transmute::<_, GetProcAddr>(device);
        let Some(create) = instance(INSTANCE.load(SeqCst), c"vkCreateDevice".as_ptr()) else { return FAILED };
        let result = transmute::<_, CreateDevice>(create)(physical, info, allocator, out);
        if result != 0 {
            return result;
        }
        let submit = next(*out, c"vkQueueSubmit".as_ptr());
        let draw = next(*out, c"vkCmdDrawIndexed".as_ptr());
        let (Some(submit), Some(draw)) = (submit, draw) else { return FAILED };
        let losses = std::env::var("OROGEN_LOSSES").unwrap_or_default();
        let left = losses.split(',').nth(MADE.fetch_add(1, SeqCst)).and_then(|left| left.parse().ok());
        let device = Device { next, submit: transmute(submit), draw: transmute(draw), left };
        let mut devices = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
        devices.get_or_insert_default().insert(*(*out).cast::<usize>(), device);
        0
    }
}

unsafe extern "system" fn submit(queue: Handle, count: u32, submits: *const c_void, fence: u64) -> i32 {
    let Device { submit, left, .. } = with_device(queue, |device| *device);
    if left == Some(0) {
        return DEVICE_LOST;
    }
    // SAFETY: handed on as they came.
    unsafe { submit(queue, count, submits, fence) }
}

unsafe extern "system" fn draw(commands: Handle, indices: u32, a: u32, b: u32, c: i32, d: u32) {
    let draw = with_device(commands, |device| {
        if indices >= MANY {
            device.left = device.left.map(|left| left.saturating_sub(1));
        }
        device.draw
    });
    // SAFETY: handed on as they came.
    unsafe { draw(commands, indices, a, b, c, d) }
}

/// What stands before the functions of the driver.
unsafe fn ours(name: &CStr) -> Function {
    // SAFETY: whoever asks for a name calls it as what it is.
    unsafe {
        match name.to_bytes() {
            b"vkGetInstanceProcAddr" => transmute(of_instance as GetProcAddr),
            b"vkGetDeviceProcAddr" => transmute(of_device as GetProcAddr),
            b"vkCreateInstance" => transmute(create_instance as CreateInstance),
            b"vkCreateDevice" => transmute(create_device as CreateDevice),
            b"vkQueueSubmit" => transmute(submit as QueueSubmit),
            b"vkCmdDrawIndexed" => transmute(draw as DrawIndexed),
            _ => None,
        }
    }
}

unsafe extern "system" fn of_instance(instance: Handle, name: *const c_char) -> Function {
    // SAFETY: names end in zeros; what is behind the layer is known once there is an instance.
    unsafe {
        let own = ours(CStr::from_ptr(name));
        let next = NEXT.load(SeqCst);
        if own.is_some() || next == 0 { own } else { transmute::<usize, GetProcAddr>(next)(instance, name) }
    }
}

unsafe extern "system" fn of_device(device: Handle, name: *const c_char) -> Function {
    // SAFETY: names end in zeros.
    unsafe {
        let own = ours(CStr::from_ptr(name));
        if own.is_some() { own } else { with_device(device, |device| device.next)(device, name) }
    }
}

/// The loader's first question.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkNegotiateLoaderLayerInterfaceVersion(negotiation: *mut Negotiation) -> i32 {
    // SAFETY: the loader's structure.
    let negotiation = unsafe { &mut *negotiation };
    negotiation.version = 2;
    negotiation.instance = Some(of_instance);
    negotiation.device = Some(of_device);
    negotiation.physical_device = None;
    0
}
