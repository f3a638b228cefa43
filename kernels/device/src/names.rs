//! What may a name be in WGSL? Names are kept; reserved words and built-in functions get an underscore at the end.

use syn::Ident;

/// Key words, reserved words that are likely as names, and predeclared types of WGSL.
const RESERVED: &str = "alias break case const const_assert continue continuing default diagnostic discard else enable false fn \
    for if let loop override requires return struct switch true var while active alignas as asm assembly attribute auto \
    await bind binding_array body catch class cmat co_await common compile concept constexpr crate decltype delete do enum \
    export extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements \
    import in inline instanceof interface layout lowp macro match mediump meta mod module move mut namespace new nil noinline \
    noperspective null nullptr of operator package packoffset partial pass patch pixelfragment precise precision premerge priv \
    protected pub public readonly ref regardless register reinterpret_cast require resource restrict self set shared \
    sizeof smooth snorm static std subroutine super target template this throw trait try type typedef typeid typename \
    typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield \
    bool f16 f32 f64 i32 i64 u32 u64 array atomic ptr sampler vec2 vec3 vec4 vec2i vec3i vec4i vec2u vec3u vec4u vec2f vec3f \
    vec4f mat2x2 mat3x3 mat4x4";

/// Functions that every WGSL module has: a name that hides one of them would change what the generated code calls.
const FUNCTIONS: &str = "abs acos acosh all any arrayLength asin asinh atan atan2 atanh bitcast ceil clamp cos cosh \
    countLeadingZeros countOneBits countTrailingZeros cross degrees determinant distance dot exp exp2 extractBits \
    faceForward firstLeadingBit firstTrailingBit floor fma fract frexp insertBits inverseSqrt ldexp length log log2 max \
    min mix modf normalize pow quantizeToF16 radians reflect refract reverseBits round saturate select sign sin sinh \
    smoothstep sqrt step tan tanh transpose trunc";

/// The WGSL name of a Rust one; the same wherever it is used.
pub fn wgsl_name(ident: &Ident) -> String {
    let name = ident.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    let taken = |words: &str| words.split_whitespace().any(|word| word == name);
    if taken(RESERVED) || taken(FUNCTIONS) { format!("{name}_") } else { name.to_owned() }
}
