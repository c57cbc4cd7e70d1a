import type { TFunction } from 'i18next'
import { isMachineTitle } from '#domain/flow/text/machine-title.ts'
import type { Translate } from '../model/label.ts'
import { typeName } from '../model/look.ts'
import type { Session } from '../session/edit-history/edit-session.ts'

/** Summary of a session in one line: its source, or its changed blocks. */
export const sessionWords = ({ source, summary }: Session, t: TFunction<'history'>, words: Translate): string => {
  if (source?.kind === 'restore') return t('flow.source.restore', { revision: source.revision ?? '?' })
  if (source !== undefined) {
    const named = t(`flow.source.${source.kind}`, { defaultValue: '' })
    if (named !== '') return named
  }
  const touched = [...summary.changed, ...summary.added, ...summary.removed]
  const titles = new Set(
    touched.map(({ title, type }) => (isMachineTitle(title, type) ? typeName(type, words) : title.trim())),
  )
  if (titles.size > 0) return [...titles].slice(0, 4).join(', ')
  if (summary.script) return t('flow.script')
  return t('flow.links')
}
