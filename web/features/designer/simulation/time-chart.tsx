import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { durationOf } from '#web/format/time.ts'
import { ticksOf, timeRows } from './time-rows.ts'
import type { SimulationView } from './use-simulation.ts'
import './time-chart.css'

const KINDS = ['service', 'own', 'typing'] as const
/** Rows that are drawn: the newest. */
const MAX_ROWS = 100
/** From this share of the axis on, a bar has its time in front of it. */
const LATE = 0.75

interface TimeChartProps {
  readonly view: SimulationView | undefined
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
}

type Rows = ReturnType<typeof timeRows>

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : (part / whole) * 100}%`

interface LinesProps extends Pick<TimeChartProps, 'blockName' | 'onBlock'> {
  readonly rows: Rows
  /** ms of the whole axis. */
  readonly end: number
}

const Lines = ({ rows, end, blockName, onBlock }: LinesProps) => {
  const { t } = useTranslation('simulation')
  return (
    <ol>
      {rows.map(({ key, block, bars, ms }) => {
        const [first] = bars
        const start = first?.start ?? 0
        const isLate = end > 0 && (start + ms) / end > LATE
        const name = block === null ? t('times.before') : blockName(block)
        return (
          <li key={key}>
            {block === null ? (
              <span className="ps-time-name">{name}</span>
            ) : (
              <button type="button" className="ps-time-name" title={name} onClick={() => onBlock(block)}>
                {name}
              </button>
            )}
            <span className="ps-time-lane">
              {bars.map(bar => (
                <i
                  key={bar.start}
                  data-kind={bar.kind}
                  title={t(`times.${bar.kind}`)}
                  style={{ left: percent(bar.start, end), width: percent(bar.ms, end) }}
                />
              ))}
              <small
                data-late={isLate || undefined}
                style={isLate ? { right: percent(end - start, end) } : { left: percent(start + ms, end) }}
              >
                {durationOf(ms)}
              </small>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Durations of each block and call in order, without the person's time. */
export const TimeChart = ({ view, blockName, onBlock }: TimeChartProps) => {
  const { t } = useTranslation('simulation')
  const [isOpen, setOpen] = useState(true)
  const box = useRef<HTMLDivElement>(null)
  const rows = timeRows(view?.spans ?? []).slice(-MAX_ROWS)
  const count = rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new row is brought into sight
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  if (view === undefined) return null
  const { bot, services, person } = view.times
  const kinds = KINDS.filter(kind => rows.some(({ bars }) => bars.some(bar => bar.kind === kind)))
  return (
    <section className="ps-times" aria-label={t('times.title')}>
      <header>
        <b>{t('times.title')}</b>
        <p role="status">
          {t('times.sum', { bot: durationOf(bot), services: durationOf(services), person: durationOf(person) })}
        </p>
        <span className="ps-time-keys">
          {kinds.map(kind => (
            <span key={kind}>
              <i data-kind={kind} />
              {t(`times.${kind}`)}
            </span>
          ))}
        </span>
        <button
          type="button"
          className="pl-tool"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'times.hide' : 'times.show')}
          title={t(isOpen ? 'times.hide' : 'times.show')}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
        </button>
      </header>
      {!isOpen ? null : rows.length === 0 ? (
        <p className="ps-muted">{t('times.none')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <div ref={box} className="ps-time-rows" tabIndex={0}>
            <Lines rows={rows} end={bot} blockName={blockName} onBlock={onBlock} />
          </div>
          <p className="ps-time-axis" aria-hidden>
            {ticksOf(bot).map(tick => (
              <small key={tick} style={{ left: percent(tick, bot) }}>
                {tick === 0 ? 0 : durationOf(tick)}
              </small>
            ))}
          </p>
        </>
      )}
    </section>
  )
}
