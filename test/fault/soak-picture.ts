/** Memory of the gateway at one moment, MiB, after garbage collection. */
export interface Sample {
  readonly seconds: number
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly files: number
  /** Made so far. */
  readonly calls: number
}

const WIDTH = 800
const HEIGHT = 320
const LEFT = 56
const TOP = 24
const BOTTOM = 40
const RIGHT = 150
const LINES = [
  { figure: 'rss', color: '#1c3dbb', name: 'resident' },
  { figure: 'heap', color: '#a5341b', name: 'heap in use' },
  { figure: 'external', color: '#1f7a4d', name: 'outside the heap' },
] as const

/** Memory over time as a picture. */
export const drawSoak = (samples: readonly Sample[]): string => {
  const most = Math.ceil(Math.max(...samples.map(({ rss }) => rss)) / 50) * 50
  const end = samples.at(-1)?.seconds ?? 1
  const x = (seconds: number) => (LEFT + ((WIDTH - LEFT - RIGHT) * seconds) / end).toFixed(1)
  const y = (mebibytes: number) => (HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * mebibytes) / most).toFixed(1)
  const ticks = [0, 1, 2, 3, 4].map(n => (most * n) / 4)
  const minutes = [0, 1, 2, 3, 4].map(n => (end * n) / 4)
  const grid = ticks.map(
    at =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(at)}" y2="${y(at)}" stroke="#ddd"/>` +
      `<text x="${LEFT - 8}" y="${Number(y(at)) + 4}" text-anchor="end">${Math.round(at)}</text>`,
  )
  const times = minutes.map(
    at => `<text x="${x(at)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${(at / 60).toFixed(0)} min</text>`,
  )
  const lines = LINES.map(({ figure, color, name }) => {
    const points = samples.map(sample => `${x(sample.seconds)},${y(sample[figure])}`).join(' ')
    const last = Number(y(samples.at(-1)?.[figure] ?? 0)) + 4
    return (
      `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5"/>` +
      `<text x="${WIDTH - RIGHT + 8}" y="${last}" fill="${color}">${name}</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>Memory of the gateway over the soak</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="14">Memory of the gateway, MiB</text>`,
    ...grid,
    ...times,
    ...lines,
    '</svg>\n',
  ].join('\n')
}
