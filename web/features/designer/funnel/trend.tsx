import { useTranslation } from 'react-i18next'
import { isoDayOf } from '#web/format/time.ts'
import type { Dropoff } from './funnel.ts'
import { useNumbers } from './use-numbers.ts'

const WIDTH = 280
const HEIGHT = 96
const LEFT = 34
const BOTTOM = 14

interface TrendProps {
  readonly days: readonly string[]
  readonly shares: readonly (number | undefined)[]
  readonly revisions: Dropoff['revisions']
}

/** The share that left, day by day; a revision that went live is a dashed mark. */
export const Trend = ({ days, shares, revisions }: TrendProps) => {
  const { t } = useTranslation('funnel')
  const { shareOf } = useNumbers()
  const most = Math.max(0.1, ...shares.map(share => share ?? 0))
  const x = (day: number) => LEFT + (day / Math.max(1, days.length - 1)) * (WIDTH - LEFT - 6)
  const y = (share: number) => 6 + (1 - share / most) * (HEIGHT - BOTTOM - 6)
  const points = shares.flatMap((share, day) => (share === undefined ? [] : [{ x: x(day), y: y(share) }]))
  const last = points.at(-1)
  // Of several on one day the newest, which is the first, is marked.
  const marks = days.flatMap((on, day) => {
    const found = revisions.find(({ since }) => isoDayOf(Date.parse(since)) === on)
    return found === undefined ? [] : [{ revision: found.revision, day }]
  })
  const told = shares.findLast(share => share !== undefined)
  return (
    <svg
      className="pf-trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t('trend', { share: told === undefined ? '–' : shareOf(told) })}
    >
      {[most, most / 2, 0].map(share => (
        <g key={share}>
          <line x1={LEFT} x2={WIDTH} y1={y(share)} y2={y(share)} />
          <text x={LEFT - 4} y={y(share) + 3} textAnchor="end">
            {shareOf(share)}
          </text>
        </g>
      ))}
      {marks.map(({ revision, day }) => (
        <g key={revision} className="pf-mark">
          <line x1={x(day)} x2={x(day)} y1={0} y2={HEIGHT - BOTTOM} />
          <text x={x(day)} y={HEIGHT - 2} textAnchor={day > days.length / 2 ? 'end' : 'start'}>
            {t('live', { revision })}
          </text>
        </g>
      ))}
      <polyline points={points.map(point => `${point.x},${point.y}`).join(' ')} />
      {last === undefined ? null : <circle cx={last.x} cy={last.y} r={3.5} />}
    </svg>
  )
}
