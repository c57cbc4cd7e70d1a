import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { saveFile } from '#web/components/save-file.ts'
import { useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'
import { type ListState, narrowingOf } from './list-state.ts'
import type { ListPlace } from './use-list-place.ts'

/** Saves what a list is filtered to as CSV. Read as a whole, so that a refusal is shown and not saved. */
export const useExport = ({ entity, fixed }: ListPlace, state: ListState) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const query = { ...narrowingOf(entity, state, fixed), sort: state.sort }
      const file = await http.file('/{entity}/export', { params: { entity: entity.name }, query })
      saveFile(file, `${label.plural(entity.name)}.csv`)
    } catch (error) {
      notice.toast(isProblem(error) ? error.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return { save, isBusy }
}
