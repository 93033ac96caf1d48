//! Benchmarks dense elimination over GF(2), compared with M4RI, the C library that is the usual reference.
//! `cargo bench --bench gf2`
//!
//! The task is to find the rank, the kernel and a solution for closed-neighborhood matrices of random graphs (each edge with
//! probability 1/2), with all ones on the right-hand side. Kibitzer's time is the time of the whole `solve` call. M4RI's time is the
//! time to bring a copy, with the right-hand side as its last column, into reduced echelon form, from which the three results can
//! be read. Reading them and making the copy are not counted. M4RI has three functions for this, and the fastest one counts.
//!
//! M4RI is loaded if it is installed (Debian: `apt install libm4ri-dev`); without it, only Kibitzer's times are printed.

mod common;

use common::timed;
use kibitzer::gf2::echelon::solve;
use kibitzer::gf2::matrix::Matrix;
use kibitzer::gf2::vector::Vector;
use kibitzer::random::Random;

fn main() {
    let m4ri = m4ri::load();
    match &m4ri {
        Some(_) => println!("milliseconds, the best of several interleaved runs"),
        None => println!("milliseconds, the best of several runs; M4RI is not installed, so there is no comparison"),
    }
    println!("   size   rank  kibitzer   m4ri: echelonize   _m4ri   _pluq  kibitzer/best");
    for size in [1024, 2048, 4096, 8192] {
        let a = neighbors(size);
        let b = Vector::from_fn(size, |_| true);
        let mut both = Matrix::zero(size, size + 1);
        for row in 0..size {
            both.row_mut(row)[..a.row(row).len()].copy_from_slice(a.row(row));
            both.flip(row, size);
        }
        let theirs = m4ri.as_ref().map(|library| (library, library.matrix(&both)));
        let (mut ours, mut ways, mut rank) = (f64::INFINITY, [f64::INFINITY; 3], 0);
        for _ in 0..40_960 / size {
            let (found, time) = timed(|| solve(&a, &b).expect("all ones is solvable on every graph (Sutner)"));
            assert_eq!(a.mul_vec(&found.x), b);
            (rank, ours) = (found.rank, ours.min(time));
            if let Some((library, both)) = &theirs {
                for (way, best) in ways.iter_mut().enumerate() {
                    let (their_rank, time) = library.reduce(both, way);
                    assert_eq!(their_rank, rank, "M4RI finds a different rank");
                    *best = best.min(time);
                }
            }
        }
        print!("{size:7} {rank:6} {:9.2}", ours * 1e3);
        if theirs.is_some() {
            let best = ways.iter().copied().fold(f64::INFINITY, f64::min);
            let [one, two, three] = ways.map(|time| time * 1e3);
            print!("   {one:16.2} {two:7.2} {three:7.2}  {:13.2}", ours / best);
        }
        println!();
    }
}

/// The closed-neighborhood matrix of a random graph: its adjacency matrix plus the identity.
fn neighbors(size: usize) -> Matrix {
    let mut random = Random::new(size as u64);
    let mut matrix = Matrix::identity(size);
    for row in 0..size {
        for col in 0..row {
            if random.below(2) == 1 {
                matrix.flip(row, col);
                matrix.flip(col, row);
            }
        }
    }
    matrix
}

/// The few M4RI functions that are needed, loaded at run time, so that building does not require M4RI.
mod m4ri {
    use super::{Matrix, timed};
    use std::ffi::{CStr, CString, c_char, c_int, c_void};

    type Mzd = *mut c_void;

    pub struct Library {
        read: unsafe extern "C" fn(c_int, c_int, *const c_char) -> Mzd,
        copy: unsafe extern "C" fn(Mzd, Mzd) -> Mzd,
        free: unsafe extern "C" fn(Mzd),
        echelonize: unsafe extern "C" fn(Mzd, c_int) -> c_int,
        echelonize_m4ri: unsafe extern "C" fn(Mzd, c_int, c_int) -> c_int,
        echelonize_pluq: unsafe extern "C" fn(Mzd, c_int) -> c_int,
    }

    #[cfg(unix)]
    pub fn load() -> Option<Library> {
        unsafe extern "C" {
            fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
            fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        }
        const NOW: c_int = 2;
        let names = [c"libm4ri.so", c"libm4ri.so.2", c"libm4ri-0.0.20200125.so"];
        // SAFETY: the names are null-terminated.
        let library = names.iter().map(|name| unsafe { dlopen(name.as_ptr(), NOW) }).find(|library| !library.is_null())?;
        /// The address of a function as a pointer of type `F`. The caller must ensure that the type is right.
        unsafe fn find<F: Copy>(library: *mut c_void, name: &CStr) -> Option<F> {
            // SAFETY: the library is open and stays open; both sides have the size of a pointer.
            unsafe {
                let found = dlsym(library, name.as_ptr());
                (!found.is_null()).then(|| std::mem::transmute_copy(&found))
            }
        }
        // SAFETY: the fields have the types that M4RI's headers give to these functions.
        unsafe {
            Some(Library {
                read: find(library, c"mzd_from_str")?,
                copy: find(library, c"mzd_copy")?,
                free: find(library, c"mzd_free")?,
                echelonize: find(library, c"mzd_echelonize")?,
                echelonize_m4ri: find(library, c"mzd_echelonize_m4ri")?,
                echelonize_pluq: find(library, c"mzd_echelonize_pluq")?,
            })
        }
    }

    #[cfg(not(unix))]
    pub fn load() -> Option<Library> {
        None
    }

    impl Library {
        /// Converts a matrix to M4RI's format.
        pub fn matrix(&self, a: &Matrix) -> Mzd {
            let digits = (0..a.rows()).flat_map(|row| (0..a.columns()).map(move |col| b'0' + u8::from(a.get(row, col))));
            let text = CString::new(digits.collect::<Vec<u8>>()).expect("digits");
            // SAFETY: the text has a digit for each entry.
            unsafe { (self.read)(a.rows() as c_int, a.columns() as c_int, text.as_ptr()) }
        }

        /// Reduces a copy with one of the three functions. Returns its rank and the time.
        pub fn reduce(&self, a: &Mzd, way: usize) -> (usize, f64) {
            // SAFETY: the matrices come from M4RI; 1 asks for the reduced form, 0 for the default table size.
            unsafe {
                let copy = (self.copy)(std::ptr::null_mut(), *a);
                let (rank, time) = timed(|| match way {
                    0 => (self.echelonize)(copy, 1),
                    1 => (self.echelonize_m4ri)(copy, 1, 0),
                    _ => (self.echelonize_pluq)(copy, 1),
                });
                (self.free)(copy);
                (rank as usize, time)
            }
        }
    }
}
