import { Button } from '@chakra-ui/react'
import { ArrowDownUp, ArrowLeftRight, ChevronRight, CircleCheck, LocateFixed, RotateCcw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { countsOf, indexAt, type Moment } from '#web/entity/flow/read-revisions.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { BlockChange } from './block-change.tsx'
import { changeGroups } from './change-groups.ts'
import { minuteOf, momentOf, namesOf, weekdayOf } from './edit-days.ts'
import { ChangeCounts, ChangeLine, ChangeMark } from './legend.tsx'
import { type ChangeEntry, changeEntries, type LinkEntry, linkEntries } from './scene.ts'
import { useRestore } from './use-restore.ts'
import type { SceneView } from './use-scene.ts'
import { useTravelling } from './use-travel.ts'
import { ValueDiff } from './value-diff.tsx'

/** The code of a handler, which belongs to no block. */
const ScriptChange = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const { t } = useTranslation('history')
  return (
    <section className="pt-detail" aria-label={t('flow.script')}>
      <div className="pt-field-row">
        <div className="pt-field-head">
          <b>{t('flow.script')}</b>
        </div>
        <ValueDiff value={{ before, after, short: false, code: true }} />
      </div>
    </section>
  )
}

/** A moment among the ends of all sessions, or any other one that the slider has found. */
const MomentChoice = (props: {
  readonly label: string
  readonly value: Moment
  readonly onChoose: (revision: number) => void
}) => {
  const { sessions } = useTravelling()
  const ends = sessions.map(({ last }) => last)
  const known = ends.some(({ revision }) => revision === props.value.revision)
  const choices = known ? ends : [...ends, props.value].sort((a, b) => a.revision - b.revision)
  return (
    <label>
      <small>{props.label}</small>
      <select value={props.value.revision} onChange={event => props.onChoose(Number(event.target.value))}>
        {choices.toReversed().map(({ revision, time, authors }) => (
          <option key={revision} value={revision}>
            {`${weekdayOf(time, 'short')} ${minuteOf(time)} · ${namesOf(authors)}`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Any two moments: one is where the slider is, the other is chosen here or by its own handle. */
const CompareBar = () => {
  const { t } = useTranslation('history')
  const { at, other, go, compareWith } = useTravelling()
  const swap = () => {
    go(other.revision)
    compareWith(at.revision)
  }
  return (
    <div className="pt-between">
      <MomentChoice label={t('flow.thisMoment')} value={at} onChoose={go} />
      <IconButton icon={ArrowDownUp} size="xs" label={t('flow.swap')} onClick={swap} />
      <MomentChoice label={t('flow.otherMoment')} value={other} onChoose={compareWith} />
    </div>
  )
}

const VIEWS = ['session', 'edit', 'now', 'between'] as const
const NOTHING: ReadonlySet<string> = new Set()

const toggled = (set: ReadonlySet<string>, item: string): ReadonlySet<string> =>
  set.symmetricDifference(new Set([item]))

interface EntryProps {
  readonly entry: ChangeEntry
  readonly selected: boolean
  readonly checked: boolean
  readonly onSelect: () => void
  readonly onCheck: (() => void) | undefined
}

const Entry = ({ entry, selected, checked, onSelect, onCheck }: EntryProps) => {
  const { t } = useTranslation('history')
  return (
    <li className="pt-entry" data-on={selected || undefined} data-diff={entry.kind}>
      {onCheck === undefined ? null : (
        <input
          type="checkbox"
          checked={checked}
          onChange={onCheck}
          aria-label={t('flow.chooseBlock', { block: entry.words })}
        />
      )}
      <button type="button" aria-pressed={selected} onClick={onSelect}>
        <ChangeMark kind={entry.kind} />
        <span className="pl-said">{t(`flow.whole.${entry.kind}`)}</span>
        <span className="pt-entry-words">{entry.words}</span>
        {selected ? <LocateFixed size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
      </button>
    </li>
  )
}

interface ChangedLinksProps {
  readonly links: readonly LinkEntry[]
  readonly isOpen: boolean
  readonly onBlock: (block: string) => void
}

/** Changed links of the whole flow, folded beside changed blocks. */
const ChangedLinks = ({ links, isOpen, onBlock }: ChangedLinksProps) => {
  const { t } = useTranslation('history')
  if (links.length === 0) return null
  return (
    <details className="pt-links" open={isOpen}>
      <summary>{t('flow.linkCount', { count: links.length })}</summary>
      <ul className="pt-entries">
        {links.map(({ id, kind, from, words, was }) => (
          <li key={id} className="pt-entry" data-diff={kind}>
            <button type="button" onClick={() => onBlock(from)}>
              <ChangeLine kind={kind} words={words} was={was} className="pt-entry-words" />
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Says what the moment is compared with. */
const Against = () => {
  const { t } = useTranslation('history')
  const { view, from, at, session, moments, head } = useTravelling()
  const revision = view === 'now' ? head.revision : from
  const moment = moments[indexAt(moments, revision)]
  const whole = view === 'session' && at === session.last ? 'whole' : view
  const words =
    revision === 0
      ? t('flow.against.empty')
      : t(`flow.against.${whole}`, { revision, moment: moment === undefined ? '' : momentOf(moment.time) })
  return <p className="pt-against">{words}</p>
}

interface ChangePanelProps {
  readonly shown: SceneView | undefined
  readonly late: boolean
  readonly block: string | undefined
  readonly onBlock: (block: string) => void
}

/** Changes as text: blocks, their fields, and controls to restore them. */
export const ChangePanel = ({ shown, late, block, onBlock }: ChangePanelProps) => {
  const { t } = useTranslation('history')
  const words = useWords()
  const travel = useTravelling()
  const { view, look, from, to, moments, at } = travel
  const { mayEdit, busy, restore } = useRestore()
  const [blocks, setBlocks] = useState(NOTHING)
  const [left, setLeft] = useState(NOTHING)
  const scene = shown?.scene
  const entries = useMemo(() => (scene === undefined ? [] : changeEntries(scene, words)), [scene, words])
  const links = useMemo(() => (scene === undefined ? [] : linkEntries(scene, words)), [scene, words])
  const selected = entries.find(({ id }) => id === block) ?? entries[0]
  const span = useMemo(() => moments.slice(indexAt(moments, from) + 1, indexAt(moments, to) + 1), [moments, from, to])
  const place = `${from} ${to}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen belongs to the comparison it was chosen in.
  useEffect(() => setBlocks(NOTHING), [place])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every field is chosen at first, block by block.
  useEffect(() => setLeft(NOTHING), [place, selected?.id])

  const picked = entries.filter(({ id }) => blocks.has(id))
  const fields = useMemo(() => (selected === undefined ? [] : changeGroups(selected, words)), [selected, words])
  const kept = fields.filter(group => !group.some(path => left.has(path)))
  const paths = kept.flat()
  const one = selected !== undefined && picked.length === 0
  const byField = one && selected.kind === 'changed'
  const count = byField ? kept.length : Math.max(1, picked.length)
  const shownRevision = view === 'now' ? at.revision : to
  const bring = (revision: number) => {
    const some = byField && kept.length < fields.length
    const text = some
      ? t('flow.restoredFields', { count: kept.length })
      : t('flow.restored', { count: one ? 1 : picked.length })
    const ids = one ? [selected.id] : picked.map(({ id }) => id)
    void restore(revision, ids, text, some ? paths : undefined)
  }
  const script = shown !== undefined && (shown.before.file.js ?? '') !== (shown.after.file.js ?? '')
  const nothing = entries.length === 0 && links.length === 0 && !script

  return (
    <section className="pt-panel" aria-label={t('flow.changed')} aria-busy={late}>
      <header>
        <h2>{t('flow.changed')}</h2>
        {scene === undefined ? null : <ChangeCounts counts={countsOf(scene.difference.nodes)} all />}
      </header>
      <fieldset className="pl-seg pt-views" aria-label={t('flow.view')}>
        {VIEWS.map(one => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => look(one)}>
            {t(`flow.views.${one}`)}
          </button>
        ))}
      </fieldset>
      {view === 'between' ? <CompareBar /> : <Against />}
      <div className="pt-panel-body" data-late={late || undefined}>
        {shown !== undefined && nothing ? (
          <EmptyState small icon={view === 'now' ? CircleCheck : ArrowLeftRight} title={t(`flow.same.${view}`)} />
        ) : null}
        <ul className="pt-entries">
          {entries.map(entry => (
            <Entry
              key={entry.id}
              entry={entry}
              selected={entry === selected}
              checked={blocks.has(entry.id)}
              onSelect={() => onBlock(entry.id)}
              onCheck={mayEdit ? () => setBlocks(before => toggled(before, entry.id)) : undefined}
            />
          ))}
        </ul>
        <ChangedLinks links={links} isOpen={entries.length === 0} onBlock={onBlock} />
        {script && shown !== undefined ? (
          <ScriptChange before={shown.before.file.js ?? ''} after={shown.after.file.js ?? ''} />
        ) : null}
        {selected === undefined ? null : (
          <BlockChange
            node={selected.node}
            before={selected.before}
            links={links}
            kind={selected.kind}
            place={selected.place}
            changes={selected.changes}
            span={span}
            chosen={new Set(paths)}
            onChoose={mayEdit && picked.length === 0 ? path => setLeft(before => toggled(before, path)) : undefined}
          />
        )}
      </div>
      {mayEdit && selected !== undefined ? (
        <footer>
          <Button w="100%" disabled={busy || late || (byField && count === 0)} onClick={() => bring(shownRevision)}>
            <RotateCcw size={15} aria-hidden />
            {t(`flow.bring.${byField ? 'fields' : 'blocks'}${view === 'now' ? 'Then' : ''}`, { count })}
          </Button>
          <div>
            <small>{one ? t('flow.onlyThis') : t('flow.onlyThese', { count })}</small>
            {view === 'now' ? null : (
              <Button
                variant="plain"
                size="xs"
                color="accent.fg"
                disabled={busy || late || (byField && count === 0)}
                onClick={() => bring(from)}
              >
                {t('flow.useBefore')}
              </Button>
            )}
          </div>
        </footer>
      ) : null}
    </section>
  )
}
