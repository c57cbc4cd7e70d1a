import { chakra, Input, InputGroup } from '@chakra-ui/react'
import { ListFilter, Pencil, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual, own } from '#schemas/json.ts'
import { Segments } from '#web/components/segments.tsx'
import { durationOf } from '#web/format/time.ts'
import { AddStatement } from '#web/nlu/add-statement.tsx'
import { dragPath } from '../blocks/try-out/json-tree.tsx'
import { membersOf } from '../blocks/try-out/use-try.ts'
import type { SimulationRun, SimulationView } from './use-simulation.ts'

type Understood = SimulationView['understood'][number]

const width = (share: number): string => `${Math.round(share * 100)}%`
const percent = (share: number): string => `${Math.round(share * 100)} %`

const Ranking = ({ ranking, intent, threshold }: Understood) => (
  <ol className="ps-ranking">
    {ranking.map(({ name, confidence }) => (
      <li key={name} data-best={name === intent || undefined}>
        <span>{name}</span>
        <small>{percent(confidence)}</small>
        <span className="ps-measure" aria-hidden>
          <span className="ps-measured" style={{ width: width(confidence) }} />
          {threshold > 0 ? <i style={{ left: width(threshold) }} /> : null}
        </span>
      </li>
    ))}
  </ol>
)

const Reasons = ({ reasons }: Pick<Understood, 'reasons'>) => {
  const { t } = useTranslation('understanding')
  const shown = (['for', 'against'] as const).filter(side => reasons[side].length > 0)
  return (
    <>
      {shown.map(side => (
        <p key={side} className="ps-reasons" data-side={side}>
          <small>{t(side)}</small>
          {reasons[side].map(({ text }) => (
            <code key={text}>{text}</code>
          ))}
        </p>
      ))}
    </>
  )
}

const Item = ({ item, project }: { readonly item: Understood; readonly project: string | null }) => {
  const { t } = useTranslation('understanding')
  const { by, text, error, intent, threshold, ranking, entities } = item
  return (
    <li className="ps-understood">
      <q>{text}</q>
      <p data-none={intent === null || undefined}>
        {error === undefined ? (intent ?? t('none', { threshold: percent(threshold) })) : t('failed', { code: error })}
        <small>{t(`by.${by}`)}</small>
      </p>
      <Ranking {...item} />
      {entities.length === 0 ? null : (
        <ul className="ps-entities" aria-label={t('entities')}>
          {entities.map(({ name, value, confidence }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was understood does not change
            <li key={place}>
              <small>{name}</small> {typeof value === 'string' ? value : JSON.stringify(value)}{' '}
              <small>{percent(confidence)}</small>
            </li>
          ))}
        </ul>
      )}
      <Reasons reasons={item.reasons} />
      {by === 'nlu' && project !== null ? (
        <AddStatement project={project} text={text} guess={intent ?? ranking[0]?.name} />
      ) : null}
    </li>
  )
}

/** The model's result for each text, newest first, with reasons; each can become an intent's statement. */
const RecognitionList = ({ view }: { readonly view: SimulationView }) => {
  const { t } = useTranslation('understanding')
  if (view.understood.length === 0) return <p className="ps-muted">{t('nothing')}</p>
  return (
    <ol className="ps-understoods">
      {view.understood
        .map(item => <Item key={`${item.turn} ${item.by}`} item={item} project={view.nluproject} />)
        .toReversed()}
    </ol>
  )
}

const SCOPES = ['dialog', 'conversation', 'user'] as const
type Scope = (typeof SCOPES)[number]

const MAX_SHOWN = 80
const shown = (value: Json): string => {
  const written = JSON.stringify(value)
  return written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written
}

/** Parses the input as JSON, else keeps it as text. */
const read = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The name of a value, which can be dragged into a field of the inspector. */
const Draggable = ({ name, path }: { readonly name: string; readonly path: string }) => {
  const { t } = useTranslation('simulation')
  return (
    <code draggable title={t('state.drag', { path })} onDragStart={event => dragPath(event, path)}>
      {name}
    </code>
  )
}

interface RowProps {
  readonly scope: Scope
  readonly name: string
  readonly value: Json
  /** Undefined: it is as it was. */
  readonly before: Json | null | undefined
  readonly run: SimulationRun
  /** Its dialog ended: nothing reads it any more. */
  readonly isOver: boolean
}

const Row = ({ scope, name, value, before, run, isOver }: RowProps) => {
  const { t } = useTranslation('simulation')
  const [text, setText] = useState<string>()
  const isOpen = text !== undefined
  const members = membersOf({ [name]: value }, `${name}.`)
  const edit = () => setText(typeof value === 'string' ? value : JSON.stringify(value))
  const save = () => {
    if (text !== undefined) run.set({ scope, name, value: read(text) })
    setText(undefined)
  }
  return (
    <li className="ps-variable" data-changed={before !== undefined || undefined}>
      <Draggable name={name} path={name} />
      {isOpen ? (
        <Input
          size="xs"
          fontFamily="mono"
          autoFocus
          aria-label={t('state.value', { name })}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Enter') save()
            if (event.key === 'Escape') setText(undefined)
          }}
          onBlur={() => setText(undefined)}
        />
      ) : (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the pencil beside it does the same for the keyboard */}
          <span className="ps-value" title={JSON.stringify(value)} onDoubleClick={isOver ? undefined : edit}>
            {value === null || value === '' ? <i>{t('state.empty')}</i> : shown(value)}
          </span>
          {before === undefined ? null : (
            <small>
              {before === null || before === '' ? t('state.wasempty') : t('state.was', { value: shown(before) })}
            </small>
          )}
          {isOver ? null : (
            <button
              type="button"
              aria-label={t('state.edit', { name })}
              title={t('state.edit', { name })}
              onClick={edit}
            >
              <Pencil size={12} aria-hidden />
            </button>
          )}
        </>
      )}
      {members.length === 0 ? null : (
        <details className="ps-members">
          <summary>{t('state.members', { count: members.length })}</summary>
          <ul>
            {members.map(member => (
              <li key={member.path}>
                <Draggable name={member.path.slice(name.length)} path={member.path} />
                <span title={JSON.stringify(member.value)}>{shown(member.value)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

const changeOf = (now: Json, before: JsonObject | undefined, name: string): Json | undefined => {
  if (before === undefined) return undefined
  const held = own(before, name) ?? null
  return jsonEqual(held, now) ? undefined : held
}

/** Which values are shown: those with a name like this, and where `changed` those alone that the last action changed. */
interface ValueFilter {
  readonly search: string
  readonly changed: boolean
}

interface FilterProps {
  readonly filter: ValueFilter
  onChange(filter: ValueFilter): void
}

const Filter = ({ filter, onChange }: FilterProps) => {
  const { t } = useTranslation('simulation')
  return (
    <div className="ps-filter">
      <InputGroup startElement={<Search size={14} aria-hidden />} flex="1">
        <Input
          type="search"
          size="sm"
          aria-label={t('state.search')}
          placeholder={t('state.search')}
          value={filter.search}
          onChange={event => onChange({ ...filter, search: event.target.value })}
        />
      </InputGroup>
      <button
        type="button"
        className="pl-tool"
        aria-pressed={filter.changed}
        onClick={() => onChange({ ...filter, changed: !filter.changed })}
      >
        <ListFilter size={14} aria-hidden />
        <span>{t('state.changed')}</span>
      </button>
    </div>
  )
}

const Variables = ({ run, view }: { readonly run: SimulationRun; readonly view: SimulationView }) => {
  const { t } = useTranslation('simulation')
  const [filter, setFilter] = useState<ValueFilter>({ search: '', changed: false })
  const isShown = (scope: Scope, name: string): boolean => {
    const isNamed = name.toLocaleLowerCase().includes(filter.search.trim().toLocaleLowerCase())
    const value = view.state[scope][name] ?? null
    return isNamed && (!filter.changed || changeOf(value, run.before?.state[scope], name) !== undefined)
  }
  return (
    <>
      <Filter filter={filter} onChange={setFilter} />
      {SCOPES.map(scope => {
        const all = Object.keys(view.state[scope])
        const names = all.filter(name => isShown(scope, name)).sort()
        const isOver = scope === 'dialog' && view.state.frames.length === 0 && all.length > 0
        return (
          <section key={scope} className="ps-group">
            <h2>
              {t(`state.${scope}`)} <span>{names.length}</span>
            </h2>
            {isOver ? <p className="ps-muted">{t('state.over')}</p> : null}
            {names.length > 0 ? null : (
              <p className="ps-muted">{t(all.length === 0 ? 'state.none' : 'state.nomatch')}</p>
            )}
            <ul>
              {names.map(name => {
                const value = view.state[scope][name] ?? null
                const before = changeOf(value, run.before?.state[scope], name)
                return (
                  <Row key={name} scope={scope} name={name} value={value} before={before} run={run} isOver={isOver} />
                )
              })}
            </ul>
          </section>
        )
      })}
      {view.state.tags.length === 0 ? null : (
        <section className="ps-group">
          <h2>{t('state.tags')}</h2>
          <p className="ps-tags">
            {view.state.tags.map(tag => (
              <span key={tag}>{tag}</span>
            ))}
          </p>
        </section>
      )}
    </>
  )
}

interface StepsProps {
  readonly view: SimulationView
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
}

const Steps = ({ view, blockName, onBlock }: StepsProps) => {
  const { t } = useTranslation('simulation')
  const longest = Math.max(1, ...view.steps.map(({ ms }) => ms))
  return (
    <ol className="ps-steps">
      {view.steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
        <li key={place}>
          <button type="button" onClick={() => onBlock(step.block)}>
            <span>{blockName(step.block)}</span>
            {step.ms >= 1 ? <small>{durationOf(step.ms)}</small> : null}
          </button>
          {step.ms >= 1 ? (
            <span className="ps-bar" style={{ width: `${(step.ms / longest) * 90}%` }} aria-hidden />
          ) : null}
          {step.problem === undefined ? null : (
            <span className="ps-fault">
              {t('step.problem', { code: step.problem.code, at: step.problem.at ?? '' })}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

/** External calls with their responses, and each duration relative to the longest. */
const Calls = ({ view, blockName, onBlock }: StepsProps) => {
  const { t } = useTranslation('simulation')
  const longest = Math.max(1, ...view.calls.map(({ ms = 0 }) => ms))
  if (view.calls.length === 0) return <p className="ps-muted">{t('log.none')}</p>
  return (
    <ol className="ps-steps">
      {view.calls.map((call, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only ever added at the end
        <li key={place}>
          <button type="button" onClick={() => onBlock(call.block)}>
            <span>{blockName(call.block)}</span>
            <small>
              {call.outcome === undefined ? t('status.calling') : `${call.outcome} · ${durationOf(call.ms ?? 0)}`}
            </small>
          </button>
          <code className="ps-call-line">
            {call.method} {call.url}
          </code>
          <span className="ps-bar" style={{ width: `${((call.ms ?? 0) / longest) * 100}%` }} aria-hidden />
        </li>
      ))}
    </ol>
  )
}

interface StatePanelProps extends Pick<StepsProps, 'blockName' | 'onBlock'> {
  readonly run: SimulationRun
}

type Tab = 'state' | 'steps' | 'understood' | 'log'
const LABELS = { state: 'tab.state', steps: 'tab.run', understood: 'tab.understood', log: 'tab.log' } as const

/** The conversation's values, its steps, and its external calls. */
export const StatePanel = ({ run, blockName, onBlock }: StatePanelProps) => {
  const { t } = useTranslation('simulation')
  const [tab, setTab] = useState<Tab>('state')
  const { view } = run
  return (
    <div className="ps-state">
      <div className="ps-tabs">
        <Segments<Tab>
          label={t('panel')}
          value={tab}
          options={[
            { value: 'state', label: t('tab.state') },
            { value: 'steps', label: t('tab.steps', { count: view?.steps.length ?? 0 }) },
            { value: 'understood', label: t('tab.understood') },
            { value: 'log', label: t('tab.log') },
          ]}
          onChange={setTab}
        />
      </div>
      <chakra.section className="ps-scroll" tabIndex={0} aria-label={t(LABELS[tab])}>
        {view === undefined ? null : tab === 'state' ? (
          <Variables run={run} view={view} />
        ) : tab === 'understood' ? (
          <RecognitionList view={view} />
        ) : tab === 'log' ? (
          <Calls view={view} blockName={blockName} onBlock={onBlock} />
        ) : (
          <Steps view={view} blockName={blockName} onBlock={onBlock} />
        )}
      </chakra.section>
    </div>
  )
}
