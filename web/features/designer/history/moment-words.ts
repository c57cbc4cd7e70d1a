import type { TFunction } from 'i18next'
import type { Moment } from '#web/entity/flow/flow-revision.ts'
import { namesOf } from './people-names.ts'

/** Sentence for an edit: `Marina and Ana changed 5 blocks`. */
export const momentWords = (
  { authors, summary, source }: Pick<Moment, 'authors' | 'summary' | 'source'>,
  t: TFunction<'history'>,
): string => {
  const people = namesOf(authors)
  if (source?.kind === 'restore') return t('flow.did.restored', { people, revision: source.revision ?? '?' })
  const { added, changed, removed, links } = summary
  const sum = added.length + changed.length + removed.length
  if (sum > 0) {
    const kind = sum === added.length ? 'added' : sum === removed.length ? 'removed' : 'changed'
    return t(`flow.did.${kind}`, { people, count: sum })
  }
  if (summary.script) return t('flow.did.script', { people })
  return t('flow.did.links', { people, count: links.added.length + links.changed.length + links.removed.length })
}
