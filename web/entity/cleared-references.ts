import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { type NoticeOptions, notice } from '#web/notice/notice.ts'
import { useLabel } from './label.ts'

const clearedSchema = z.array(
  z.object({ path: z.string(), of: z.object({ entity: z.string(), id: z.string() }).optional() }),
)

export interface Said {
  readonly text: string
  readonly options?: NoticeOptions
}

/** Reports references cleared because their target was removed. Returns false if there were none. */
export const useTellCleared = (entity: EntityDeclaration) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (cleared: unknown, { text, options = {} }: Said): boolean => {
    const parsed = clearedSchema.safeParse(cleared)
    if (!parsed.success || parsed.data.length === 0) return false
    const fields = parsed.data.map(({ path, of }) =>
      of === undefined ? label.field(entity.name, path) : `${label.name(of.entity)}: ${label.field(of.entity, path)}`,
    )
    const detail = t('clearedreferences', { fields: [...new Set(fields)].join(', ') })
    notice.toast(text, { ...options, tone: 'warning', detail })
    return true
  }
}
