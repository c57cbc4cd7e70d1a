import type { TFunction } from 'i18next'
import { notice } from '#web/notice/notice.ts'

/** Says which fields were cleared because they are no longer shown or allowed. */
export const announceClearedFields = (t: TFunction<'shell'>, labels: readonly string[], undo?: () => void): void =>
  notice.snack(
    t('form.cleared', { fields: labels.join(', ') }),
    undo === undefined ? {} : { action: { label: t('undo'), run: undo } },
  )
