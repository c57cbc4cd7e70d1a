import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ValueChange } from '#domain/flow/diff/diff-flows.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import type { MarkKind, Moment } from '#web/entity/flow/read-revisions.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { typeName } from '../model/block-appearance.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { outputChanges, type WayChange } from './change-groups.ts'
import { fieldLabel, valueWords } from './diff-texts.ts'
import { minuteOf, namesOf, weekdayOf } from './edit-days.ts'
import { fieldRows, isOutputs, lastEdit } from './field-row.ts'
import { ChangeLine } from './legend.tsx'
import type { LinkEntry } from './scene.ts'
import { ValueDiff } from './value-diff.tsx'

const Who = ({ moment }: { readonly moment: Moment | undefined }) => {
  if (moment === undefined) return null
  return (
    <span className="pt-who" title={`${namesOf(moment.authors)} · ${weekdayOf(moment.time)} ${minuteOf(moment.time)}`}>
      <PersonAvatar person={moment.authors[0]} size={18} />
      <span className="pl-said">{namesOf(moment.authors)}</span>
      <time dateTime={moment.time}>{minuteOf(moment.time)}</time>
    </span>
  )
}

interface LinesProps {
  readonly label: string
  readonly lines: readonly WayChange[]
  /** Undefined where they cannot be chosen. */
  readonly isChosen?: boolean | undefined
  readonly onChoose?: (() => void) | undefined
}

/** Outputs or links of the block, each as one line with what happened to it. */
const WayLines = ({ label, lines, isChosen = false, onChoose }: LinesProps) =>
  lines.length === 0 ? null : (
    <div className="pt-field-row">
      <div className="pt-field-head">
        {onChoose === undefined ? (
          <b>{label}</b>
        ) : (
          <label>
            <input type="checkbox" checked={isChosen} onChange={onChoose} />
            {label}
          </label>
        )}
      </div>
      <ul className="pt-ways" aria-label={label}>
        {lines.map(({ id, kind, words, was }) => (
          <li key={`${kind} ${id}`} data-diff={kind}>
            <ChangeLine kind={kind} words={words} was={was} />
          </li>
        ))}
      </ul>
    </div>
  )

interface BlockChangeProps {
  readonly node: NodeModel
  /** In the earlier moment. */
  readonly before?: NodeModel | undefined
  readonly kind: MarkKind
  readonly place: string
  readonly changes: readonly ValueChange[]
  /** Changed links of the flow; shows the outgoing ones of this block. */
  readonly links: readonly LinkEntry[]
  /** The edits between the two moments. */
  readonly span: readonly Moment[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: ((path: string) => void) | undefined
}

/** One block: the changes of each field, with author and time. */
export const BlockChange = (props: BlockChangeProps) => {
  const { node, before, kind, place, changes, links, span, chosen, onChoose } = props
  const { t } = useTranslation('history')
  const words = useWords()
  const rows = useMemo(() => fieldRows(changes, node.type), [changes, node.type])
  const outputs = useMemo(() => outputChanges(before, node, words), [before, node, words])
  const paths = changes.filter(isOutputs).map(({ path }) => path)
  return (
    <section className="pt-detail" aria-label={t('flow.detail')}>
      <header>
        <Tile type={node.type} size={30} />
        <span className="pt-detail-name">
          <b>{typeName(node.type, words)}</b>
          <small>
            {[place === '' ? '' : t('flow.inSection', { title: place }), node.id].filter(Boolean).join(' · ')}
          </small>
        </span>
      </header>
      {kind === 'changed' ? (
        rows.map(({ path, details }) => (
          <div key={path} className="pt-field-row">
            {details.map((detail, index) => {
              const label = fieldLabel(node.type, detail, words, t)
              return (
                <div key={`${detail.names.join('.')}${detail.places.join('.')}`}>
                  <div className="pt-field-head">
                    {index === 0 && onChoose !== undefined ? (
                      <label>
                        <input type="checkbox" checked={chosen.has(path)} onChange={() => onChoose(path)} />
                        {label}
                      </label>
                    ) : (
                      <b>{label}</b>
                    )}
                    {index === 0 ? <Who moment={lastEdit(span, node.id, path)} /> : null}
                  </div>
                  <ValueDiff value={valueWords(node.type, detail, words, t)} />
                </div>
              )
            })}
          </div>
        ))
      ) : (
        <div className="pt-field-row">
          <div className="pt-field-head">
            <b>{t(`flow.whole.${kind}`)}</b>
            <Who moment={lastEdit(span, node.id)} />
          </div>
          <p className="pt-whole" data-diff={kind}>
            {previewText(previewOf(node, words)) || node.title}
          </p>
        </div>
      )}
      <WayLines
        label={t('flow.field.outputs')}
        lines={kind === 'changed' ? outputs : []}
        isChosen={paths.every(path => chosen.has(path))}
        onChoose={
          onChoose === undefined || paths.length === 0
            ? undefined
            : () => {
                for (const path of paths) onChoose(path)
              }
        }
      />
      <WayLines label={t('flow.links')} lines={links.filter(({ from }) => from === node.id)} />
    </section>
  )
}
