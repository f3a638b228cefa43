//! What do eyes see? The picture in the window, and how large the window is.

use std::{fs, ops::Range, thread, time::Duration};

use image::{Rgb, RgbImage};
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, MapState};

use super::{gallery, session::DesktopSession};

/// Rows of the picture between the boxes and messages at its edges.
pub const ROWS: Range<u32> = 100..480;
/// Between two looks: each takes some time of the core that the program draws with.
pub const LOOK_EVERY: Duration = Duration::from_millis(80);
/// The colour of what is chosen in a box.
const MARKED: [u8; 3] = [0, 92, 128];

/// Pixels of some rows that are not the same in two pictures of one size.
#[track_caller]
pub fn differing(a: &RgbImage, b: &RgbImage, rows: Range<u32>) -> usize {
    assert_eq!(a.dimensions(), b.dimensions());
    let row = 3 * a.width() as usize;
    let bytes = rows.start as usize * row..rows.end as usize * row;
    let (a, b) = (&a.as_raw()[bytes.clone()], &b.as_raw()[bytes]);
    a.chunks_exact(3).zip(b.chunks_exact(3)).filter(|(a, b)| a != b).count()
}

impl DesktopSession {
    /// What the window shows.
    pub fn screenshot(&self) -> RgbImage {
        self.screenshot_part((0, 0), self.size_px())
    }

    /// A part of it; black where the window has just become smaller.
    pub fn screenshot_part(&self, at: (i16, i16), (width, height): (u16, u16)) -> RgbImage {
        let format = ImageFormat::Z_PIXMAP;
        let image = self.server.get_image(format, self.window, at.0, at.1, width, height, u32::MAX).unwrap().reply();
        let mut picture = RgbImage::new(width.into(), height.into());
        if let Ok(image) = image {
            for (rgb, pixel) in picture.chunks_exact_mut(3).zip(image.data.chunks_exact(4)) {
                rgb.copy_from_slice(&[pixel[2], pixel[1], pixel[0]]);
            }
        }
        picture
    }

    /// Waits until so many pixels of the middle differ from a picture.
    #[track_caller]
    pub fn wait_for_difference(&mut self, what: &str, from: &RgbImage, is_so: impl Fn(usize) -> bool) {
        self.wait(what, |session| {
            thread::sleep(LOOK_EVERY);
            let seen = session.screenshot();
            (seen.dimensions() == from.dimensions() && is_so(differing(from, &seen, ROWS))).then_some(())
        });
    }

    /// What the window shows, once the program rests: no thread of it runs, and the picture stays. Messages, as of
    /// something copied, have gone by then.
    #[track_caller]
    pub fn screenshot_at_rest(&mut self) -> RgbImage {
        let (mut last, mut ticks) = (self.screenshot(), None);
        self.wait("a picture that stays", |session| {
            let (seen, before) = (session.screenshot(), std::mem::replace(&mut ticks, session.ticks_at_rest()));
            let stays = before.is_some() && before == ticks && seen == last;
            last = seen;
            if stays {
                return Some(std::mem::take(&mut last));
            }
            thread::sleep(Duration::from_millis(250));
            None
        })
    }

    /// The time that the program has computed, in ticks of the kernel; none while one of its threads runs.
    fn ticks_at_rest(&self) -> Option<u64> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.program.id())).ok()?;
        // The fields behind the name, which is in brackets: the first is the state, the 12th and 13th are times.
        let times = tasks.flatten().map(|task| {
            let stat = fs::read_to_string(task.path().join("stat")).ok()?;
            let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
            let time: u64 = fields.get(11..13)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
            (fields[0] != "R").then_some(time)
        });
        times.sum()
    }

    /// The middle of the compass: that of its red needle, in the lower right quarter.
    #[track_caller]
    pub fn compass(&self) -> (i16, i16) {
        let (seen, (width, height)) = (self.screenshot(), self.size_px());
        let quarter = (u32::from(width) / 2, u32::from(height) / 2);
        let is_red =
            |(x, y, pixel): &(u32, u32, &Rgb<u8>)| pixel.0 == [230, 80, 60] && *x > quarter.0 && *y > quarter.1;
        let red: Vec<(u32, u32)> = seen.enumerate_pixels().filter(is_red).map(|(x, y, _)| (x, y)).collect();
        assert!(!red.is_empty(), "no compass");
        let mean = |of: fn(&(u32, u32)) -> u32| (red.iter().map(of).sum::<u32>() / red.len() as u32) as i16;
        (mean(|at| at.0), mean(|at| at.1))
    }

    /// Right end and middle row of the lowest thing that is marked as chosen in a box.
    #[track_caller]
    pub fn marked(&self) -> [i16; 2] {
        let seen = self.screenshot();
        let is_marked = |(.., pixel): &(u32, u32, &Rgb<u8>)| pixel.0 == MARKED;
        let marked: Vec<(u32, u32)> = seen.enumerate_pixels().filter(is_marked).map(|(x, y, _)| (x, y)).collect();
        let bottom = marked.iter().map(|at| at.1).max().expect("something marked");
        let lowest = || marked.iter().filter(|at| at.1 + 24 > bottom);
        let right = lowest().map(|at| at.0).max().unwrap_or_default();
        [right as i16, (lowest().map(|at| at.1).min().unwrap_or_default() + bottom) as i16 / 2]
    }

    /// The middles of the buttons at the upper edge: its bright words.
    pub fn buttons(&self) -> Vec<(i16, i16)> {
        const OF_WORDS: Range<u32> = 14..34;
        const APART_PX: u32 = 12;
        let seen = self.screenshot();
        let is_bright = |x: u32| OF_WORDS.into_iter().any(|y| seen.get_pixel(x, y).0.iter().all(|c| *c > 200));
        let mut words: Vec<(u32, u32)> = Vec::new();
        // Beside the field.
        for x in (235..820).filter(|x| is_bright(*x)) {
            match words.last_mut().filter(|(_, last)| x - *last < APART_PX) {
                Some((_, last)) => *last = x,
                None => words.push((x, x)),
            }
        }
        words.into_iter().map(|(first, last)| ((first + last) as i16 / 2, 24)).collect()
    }

    /// Size of the window, pixels.
    pub fn size_px(&self) -> (u16, u16) {
        let geometry = self.server.get_geometry(self.window).unwrap().reply().unwrap();
        (geometry.width, geometry.height)
    }

    /// Whether the window manager says that it fills the screen.
    pub fn is_full(&self) -> bool {
        let state = self.property(self.window, self.atoms._NET_WM_STATE);
        let full = self.atoms._NET_WM_STATE_FULLSCREEN.to_ne_bytes();
        state.chunks_exact(4).any(|atom| atom == full)
    }

    /// Whether the window is mapped.
    pub fn is_shown(&self) -> bool {
        let attributes = self.server.get_window_attributes(self.window).unwrap().reply();
        attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE)
    }

    /// Keeps what the window shows for the page of pictures, once the program rests.
    pub fn gallery_shot(&mut self, name: &str, caption: &str) {
        if gallery::is_wanted() {
            gallery::keep(&self.screenshot_at_rest(), name, caption);
        }
    }

    /// The same with a message, which goes, or a field that is typed into, which blinks.
    pub fn gallery_shot_now(&self, name: &str, caption: &str) {
        if gallery::is_wanted() {
            // Until the last key is heard of.
            thread::sleep(Duration::from_secs(1));
            gallery::keep(&self.screenshot(), name, caption);
        }
    }
}
