import './search.css'
import { chakra } from '@chakra-ui/react'
import { SquareFunction, Workflow } from 'lucide-react'
import { Fragment, memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowHit, FlowHits } from '#schemas/api/flow-text.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { typeName } from '../model/block-appearance.ts'

interface TickProps {
  readonly label: string
  /** Some of several are. */
  readonly isPartly?: boolean
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

/** A tick of a list with thousands of rows: the browser's own, in the accent colour. */
const Tick = ({ label, isPartly = false, checked, onChange }: TickProps) => (
  <input
    type="checkbox"
    className="pl-tick"
    aria-label={label}
    checked={checked}
    ref={box => {
      if (box !== null) box.indeterminate = isPartly
    }}
    onChange={event => onChange(event.target.checked)}
  />
)

/** Tells a hit from every other of a search. */
export const hitKey = (flow: string, { block, path, at, offset }: FlowHit): string =>
  JSON.stringify([flow, block, path, at ?? null, offset])

type Flow = FlowHits['items'][number]

export interface HitSelection {
  readonly isTicked: (key: string) => boolean
  readonly toggle: (keys: readonly string[], on: boolean) => void
}

interface HitListProps {
  readonly flows: readonly Flow[]
  /** Replacement of the found text; undefined without a replacement. */
  readonly by?: string | undefined
  readonly ticks?: HitSelection | undefined
  readonly onGo: (flow: Flow, hit: FlowHit) => void
}

const ICON = { dialog: Workflow, handler: SquareFunction } as const

const fieldWords = (hit: FlowHit, words: ReturnType<typeof useWords>): string => {
  const last = hit.field.split('.').at(-1) ?? hit.field
  const general = words(`block:field.${last}`, { defaultValue: last })
  return hit.field === '' ? '' : words(`block:field.${hit.type}.${hit.field}`, { defaultValue: general })
}

const MARKUP = /<\/?(?:a|b|br|code|div|em|i|li|ol|p|s|span|strong|u|ul)\b[^>]*>/giu

/** Readable text around a hit. */
const around = (text: string, { part }: FlowHit) =>
  (part === 'text' ? text.replaceAll(MARKUP, '') : text).replaceAll('\n', ' ')

/** The hit's text on one line, with its replacement. */
const Excerpt = ({ hit, by }: { readonly hit: FlowHit; readonly by: string | undefined }) =>
  hit.text === '' ? null : (
    <span className="pl-hit-text" data-code={hit.part === 'expression' || undefined}>
      {around(hit.before, hit).slice(-28)}
      {by === undefined ? (
        <mark>{hit.text}</mark>
      ) : (
        <>
          <del>{hit.text}</del>
          <ins>{by}</ins>
        </>
      )}
      {around(hit.after, hit)}
    </span>
  )

interface HitRowProps extends Pick<HitListProps, 'by' | 'ticks' | 'onGo'> {
  readonly flow: Flow
  readonly hit: FlowHit
  readonly ticked: boolean
}

const HitRow = memo(({ flow, hit, by, ticks, ticked, onGo }: HitRowProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const title = hit.block === '' ? t('seek.script') : hit.title || typeName(hit.type, words)
  const field = hit.part === 'title' ? t('inspector.title') : fieldWords(hit, words)
  return (
    <li className="pl-hit">
      {ticks === undefined ? null : (
        <Tick
          label={t('seek.tick', { title, field })}
          checked={ticked}
          onChange={on => ticks.toggle([hitKey(flow.id, hit)], on)}
        />
      )}
      <button type="button" className="pl-hit-go" onClick={() => onGo(flow, hit)}>
        <Tile type={hit.type === '' ? 'handler' : hit.type} size={22} />
        <span className="pl-hit-words">
          <span className="pl-hit-title">
            <b>{title}</b>
            {field === '' ? null : <span>{field}</span>}
          </span>
          <Excerpt hit={hit} by={ticked || ticks === undefined ? by : undefined} />
        </span>
      </button>
    </li>
  )
})

/** Hits of a search, flow by flow and section by section: each can be gone to, and ticked where it is to change. */
export const HitList = ({ flows, by, ticks, onGo }: HitListProps) => {
  const { t } = useTranslation('designer')
  return (
    <div className="pl-hits">
      {flows.map(flow => {
        const Icon = ICON[flow.kind]
        const keys = flow.hits.map(hit => hitKey(flow.id, hit))
        const ticked = ticks === undefined ? 0 : keys.filter(ticks.isTicked).length
        return (
          <section key={flow.id} aria-label={flow.name}>
            <h3 className="pl-hit-flow">
              {ticks === undefined ? null : (
                <Tick
                  label={t('seek.tickAll', { name: flow.name })}
                  checked={ticked > 0}
                  isPartly={ticked > 0 && ticked < keys.length}
                  onChange={on => ticks.toggle(keys, on)}
                />
              )}
              <Icon size={15} aria-hidden />
              <span>{flow.name}</span>
              <chakra.span color="fg.muted" fontWeight="normal">
                {flow.dialogtask.name}
              </chakra.span>
              <output>{t('seek.hits', { count: flow.hits.length })}</output>
            </h3>
            <ul>
              {[...Map.groupBy(flow.hits, ({ section }) => section)].map(([section, hits]) => (
                <Fragment key={section}>
                  {section === '' ? null : <li className="pl-hit-section">{section}</li>}
                  {hits.map(hit => {
                    const key = hitKey(flow.id, hit)
                    return (
                      <HitRow
                        key={key}
                        flow={flow}
                        hit={hit}
                        by={by}
                        ticks={ticks}
                        ticked={ticks?.isTicked(key) ?? false}
                        onGo={onGo}
                      />
                    )
                  })}
                </Fragment>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
