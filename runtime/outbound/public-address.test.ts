import { describe, expect, test } from 'vitest'
import { isPublicAddress, readAddress, resolveTarget } from './call.ts'

const PUBLIC = ['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.0.1', '100.128.0.1', '2606:4700::1111']
const CLOSED = [
  ...['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192', '192.0.2.1', '198.18.0.1'],
  ...['198.51.100.1', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:8.8.8.8', 'fe80::1', 'fe80::1%eth0'],
  ...['fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1'],
  ...['2001:2::1', '2001:db8::1', '2002:7f00:1::1', '3fff::1', '2606:4700::1111%2', 'localhost', '', '1.1.1', '1'],
]
/** Unusual spellings of closed addresses, which URL normalizes. */
const WRITTEN = [
  ...['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/', 'http://0/', 'http://127.0.0.1./'],
  ...['http://[::ffff:7f00:1]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://①②⑦.⓪.⓪.①/', 'http://127。0。0。1/'],
]

describe('which addresses are public', () => {
  test.each(PUBLIC)('%s is', address => expect(isPublicAddress(address)).toBe(true))
  test.each(CLOSED)('%s is not', address => expect(isPublicAddress(address)).toBe(false))

  test.each(WRITTEN)('%s leads to none', async written => {
    const url = readAddress(written)
    if (!url.ok) throw new Error(url.refusal.code)
    const target = await resolveTarget(url.value, async () => ['127.0.0.1'], false)
    expect(target).toMatchObject({ ok: false, refusal: { code: 'outbound.private' } })
  })

  test('one address of a name that is not public is enough', async () => {
    const url = new URL('http://both.example/')
    const found = await resolveTarget(url, async () => ['1.1.1.1', '10.0.0.1'], false)
    expect(found).toEqual({ ok: false, refusal: { code: 'outbound.unknown' } })
    expect(await resolveTarget(url, async () => ['10.0.0.1'], true)).toMatchObject({ ok: true })
  })

  test.each([
    ['ftp://example.com/', 'outbound.address'],
    ['file:///etc/passwd', 'outbound.address'],
    ['javascript:alert(1)', 'outbound.address'],
    ['//example.com', 'outbound.address'],
    ['', 'outbound.address'],
    ['http://', 'outbound.address'],
    [`http://example.com/${'x'.repeat(8_000)}`, 'outbound.address'],
    ['http://user@example.com/', 'outbound.credentials'],
    ['http://:secret@example.com/', 'outbound.credentials'],
  ])('%s is no address to call', (written, code) => {
    expect(readAddress(written)).toEqual({ ok: false, refusal: { code } })
  })
})
