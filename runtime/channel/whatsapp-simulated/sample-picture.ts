import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 240
const HEIGHT = 160
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** Colour of a pixel: a sun over a hill. */
const pixel = (x: number, y: number): readonly [number, number, number] => {
  if (y > 110 - 30 * Math.sin((x / WIDTH) * Math.PI)) return [61, 122, 92]
  return (x - 170) ** 2 + (y - 45) ** 2 < 24 ** 2 ? [250, 204, 88] : [150 + Math.round(y / 2), 200, 235]
}

const draw = (): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // 8 bits a channel, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) rows.set(pixel(x, y), y * (WIDTH * 3 + 1) + 1 + x * 3)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...parts])
}

let drawn: Buffer | undefined

/** PNG file that personas send. */
export const samplePicture = (): Buffer => {
  drawn ??= draw()
  return drawn
}
