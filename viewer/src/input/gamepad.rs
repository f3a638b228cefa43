//! What does a gamepad say? Read from the joystick devices of Linux; elsewhere, and without one, there is none.
//!
//! The kernel's joystick interface (`Documentation/input/joystick-api.rst`) gives events of 8 bytes: time in
//! milliseconds (u32), value (i16), type and number (u8 each), in the byte order of the machine. It needs no library, which
//! `gilrs` does (libudev, with its headers to build). Windows and macOS have no such files; `gilrs` without libudev would do
//! there, as a dependency of those two alone, once someone can try a pad on them.

use std::io::Read;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};

use bevy_ecs::resource::Resource;

/// Axes in the order of the kernel's drivers for pads: left stick, left trigger, right stick, right trigger.
const AXES: usize = 6;
/// A stick this near its middle is in it.
const DEAD: f64 = 0.12;

/// A change of an axis or a button.
#[derive(Debug, Clone, Copy, PartialEq)]
enum PadEvent {
    /// Number, and value in [-1, 1].
    Axis(usize, f64),
    /// Number, and whether it is down.
    Button(usize, bool),
}

/// The state of a gamepad.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pad {
    axes: [f64; AXES],
    /// The button at the bottom of the four: rise.
    south: bool,
    /// The button at their right: sink.
    east: bool,
    /// Either shoulder: fast.
    fast: [bool; 2],
}

impl Pad {
    fn apply(&mut self, event: PadEvent) {
        match event {
            PadEvent::Axis(number, value) => {
                if let Some(axis) = self.axes.get_mut(number) {
                    *axis = value;
                }
            }
            PadEvent::Button(0, down) => self.south = down,
            PadEvent::Button(1, down) => self.east = down,
            PadEvent::Button(4, down) => self.fast[0] = down,
            PadEvent::Button(5, down) => self.fast[1] = down,
            PadEvent::Button(..) => {}
        }
    }

    /// To the right and forward, each in [-1, 1], from the left stick.
    pub fn walk(&self) -> (f64, f64) {
        (live(self.axes[0]), -live(self.axes[1]))
    }

    /// To the right and up, each in [-1, 1], from the right stick.
    pub fn look(&self) -> (f64, f64) {
        (live(self.axes[3]), -live(self.axes[4]))
    }

    /// Up, in [-1, 1]: the right trigger or the lower button rises, the left trigger or the right button sinks.
    pub fn rise(&self) -> f64 {
        // Triggers rest at -1.
        let trigger = |axis: usize| if self.axes[axis] == 0.0 { 0.0 } else { live(0.5 * (self.axes[axis] + 1.0)) };
        let button = |down: bool| f64::from(u8::from(down));
        (trigger(5) + button(self.south) - trigger(2) - button(self.east)).clamp(-1.0, 1.0)
    }

    /// Whether to fly faster.
    pub fn is_fast(&self) -> bool {
        self.fast[0] || self.fast[1]
    }
}

/// Without the dead middle, and finer near it.
fn live(value: f64) -> f64 {
    let beyond = ((value.abs() - DEAD) / (1.0 - DEAD)).clamp(0.0, 1.0);
    value.signum() * beyond * beyond
}

/// An event of the kernel; none for what is of no use.
fn decoded(bytes: [u8; 8]) -> Option<PadEvent> {
    let value = i16::from_ne_bytes([bytes[4], bytes[5]]);
    // The highest bit marks the state at the start, which counts as well.
    match bytes[6] & 0x7f {
        1 => Some(PadEvent::Button(bytes[7].into(), value != 0)),
        2 => Some(PadEvent::Axis(bytes[7].into(), (f64::from(value) / 32_767.0).max(-1.0))),
        _ => None,
    }
}

/// Called when a gamepad says something, from another thread.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Listens to a gamepad, if there is one, and to one that is plugged in later.
#[derive(Resource)]
pub struct Gamepad {
    events: Option<Mutex<Receiver<PadEvent>>>,
    pad: Pad,
    frames: u32,
    wake: Wake,
}

/// Frames between two looks for a gamepad where there is none.
const LOOK_EVERY: u32 = 120;

impl Gamepad {
    /// Listens, and calls `wake` at every event, so that a program that waits for something to do hears of it.
    pub fn new(wake: Wake) -> Gamepad {
        Gamepad { events: open(&wake), pad: Pad::default(), frames: 0, wake }
    }

    /// The state now; all at rest where there is none.
    pub fn read(&mut self) -> Pad {
        if self.events.is_none() {
            self.frames += 1;
            if self.frames.is_multiple_of(LOOK_EVERY) {
                self.events = open(&self.wake);
            }
        }
        let Some(events) = self.events.as_mut().and_then(|events| events.get_mut().ok()) else { return self.pad };
        loop {
            match events.try_recv() {
                Ok(event) => self.pad.apply(event),
                Err(TryRecvError::Empty) => return self.pad,
                // Unplugged: what was held is let go.
                Err(TryRecvError::Disconnected) => {
                    (self.events, self.pad) = (None, Pad::default());
                    return self.pad;
                }
            }
        }
    }
}

/// The first gamepad that may be read.
fn open(wake: &Wake) -> Option<Mutex<Receiver<PadEvent>>> {
    let device = (0..4).find_map(|i| std::fs::File::open(format!("/dev/input/js{i}")).ok())?;
    listen(device, wake.clone()).map(Mutex::new)
}

/// Reads events in a thread of its own until the device is gone.
fn listen(mut device: impl Read + Send + 'static, wake: Wake) -> Option<Receiver<PadEvent>> {
    let (sender, events) = channel();
    let read = move || {
        let mut bytes = [0; 8];
        while device.read_exact(&mut bytes).is_ok() {
            if decoded(bytes).is_some_and(|event| sender.send(event).is_err()) {
                return;
            }
            wake();
        }
        drop(sender);
        wake();
    };
    std::thread::Builder::new().name(String::from("gamepad")).spawn(read).ok()?;
    Some(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(kind: u8, number: u8, value: i16) -> [u8; 8] {
        let [low, high] = value.to_ne_bytes();
        [9, 9, 9, 9, low, high, kind, number]
    }

    #[test]
    fn events_are_those_of_the_kernel() {
        assert_eq!(decoded(bytes(0x82, 4, -32_767)), Some(PadEvent::Axis(4, -1.0)));
        assert_eq!(decoded(bytes(2, 0, i16::MIN)), Some(PadEvent::Axis(0, -1.0)));
        assert_eq!(decoded(bytes(1, 5, 1)), Some(PadEvent::Button(5, true)));
        assert_eq!(decoded(bytes(3, 0, 1)), None);
    }

    /// Law: what is pushed moves, what rests does not, and a pad that is pulled out lets go.
    #[test]
    fn a_pad_is_heard_until_it_is_gone() {
        let pushed = [
            bytes(0x82, 2, -32_767),
            bytes(0x82, 5, -32_767),
            bytes(2, 0, 2_000),
            bytes(2, 1, -32_767),
            bytes(2, 3, 16_000),
            bytes(1, 4, 1),
            bytes(1, 0, 1),
            bytes(2, 77, 5),
        ];
        let mut pad = Pad::default();
        pushed.into_iter().filter_map(decoded).for_each(|event| pad.apply(event));
        assert_eq!((pad.walk(), pad.rise(), pad.is_fast()), ((0.0, 1.0), 1.0, true));
        assert!(pad.look().0 > 0.1 && pad.look().0 < 0.3 && pad.look().1 == 0.0);

        let device = std::io::Cursor::new(pushed.concat());
        let woken = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let counter = woken.clone();
        let wake: Wake = Arc::new(move || {
            counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        let events = listen(device, wake.clone()).map(Mutex::new);
        let mut gamepad = Gamepad { events, pad: Pad::default(), frames: 0, wake };
        while gamepad.events.is_some() {
            gamepad.read();
        }
        assert_eq!((gamepad.pad, gamepad.read()), (Pad::default(), Pad::default()));
        assert!(woken.load(std::sync::atomic::Ordering::Relaxed) >= 8);
        assert_eq!(Pad::default().rise(), 0.0);
    }
}
