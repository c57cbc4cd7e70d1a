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
import { fieldLabel, valueWords } from './diff-texts.ts'
import { minuteOf, namesOf, weekdayOf } from './edit-days.ts'
import { fieldRows, lastEdit } from './field-row.ts'
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

interface BlockChangeProps {
  readonly node: NodeModel
  readonly kind: MarkKind
  readonly place: string
  readonly changes: readonly ValueChange[]
  /** The edits between the two moments. */
  readonly span: readonly Moment[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: ((path: string) => void) | undefined
}

/** One block: the changes of each field, with author and time. */
export const BlockChange = ({ node, kind, place, changes, span, chosen, onChoose }: BlockChangeProps) => {
  const { t } = useTranslation('history')
  const words = useWords()
  const rows = useMemo(() => fieldRows(changes), [changes])
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
    </section>
  )
}
