import type { TFunction } from 'i18next'
import { notice } from '#web/notice/notice.ts'

/** Names the fields that were cleared because they are no longer shown or allowed. Returns the id of the notice. */
export const announceClearedFields = (t: TFunction<'shell'>, labels: readonly string[], undo?: () => void): number =>
  notice.snack(
    t('form.cleared', { fields: labels.join(', ') }),
    undo === undefined ? {} : { action: { label: t('undo'), run: undo } },
  )
