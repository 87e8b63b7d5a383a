/// The 64-bit FNV-1a hash of bytes (draft-eastlake-fnv): identical on every machine, not cryptographic.
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
