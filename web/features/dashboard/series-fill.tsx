import { chakra } from '@chakra-ui/react'

const SIZE = 6
/** Stripe angle in degrees and share of color: distinguish series of the same color. */
const LOOKS = [
  { turn: 45, share: 0.55 },
  { turn: -45, share: 0.4 },
  { turn: 0, share: 0.5 },
  { turn: 90, share: 0.4 },
] as const

const lookOf = (repeat: number) => LOOKS[(repeat - 1) % LOOKS.length] ?? LOOKS[0]

interface Fill {
  /** CSS color. */
  readonly color: string
  /** Number of earlier series of the same color. */
  readonly repeat?: number
}

export const patternId = (chart: string, at: number): string => `${chart}-${at}`.replaceAll(/[^\w-]/gu, '')

/** Stripes for the series whose color is taken already. */
export const Patterns = ({ id, series }: { readonly id: string; readonly series: readonly Fill[] }) => (
  <defs>
    {series.map(({ color, repeat = 0 }, at) => {
      if (repeat === 0) return null
      const { turn, share } = lookOf(repeat)
      const key = patternId(id, at)
      return (
        <pattern
          key={key}
          id={key}
          width={SIZE}
          height={SIZE}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${turn})`}
        >
          <rect width={SIZE} height={SIZE} fill={color} fillOpacity={0.25} />
          <rect width={SIZE * share} height={SIZE} fill={color} />
        </pattern>
      )
    })}
  </defs>
)

/** The fill of a series in a legend. */
export const Swatch = ({ color, repeat = 0 }: Fill) => {
  const { turn, share } = lookOf(Math.max(1, repeat))
  const stop = Math.round(SIZE * share)
  const stripes = `repeating-linear-gradient(${90 + turn}deg, ${color} 0 ${stop}px, transparent ${stop}px ${SIZE}px)`
  return (
    <chakra.span
      aria-hidden="true"
      boxSize="2.5"
      flex="none"
      borderRadius="xs"
      style={repeat === 0 ? { background: color } : { backgroundImage: stripes, boxShadow: `inset 0 0 0 1px ${color}` }}
    />
  )
}
