import { Button } from '@chakra-ui/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { useDesigner } from '../session/designer.ts'

interface RemoveVariableProps {
  readonly bot: string
  readonly id: string
  readonly name: string
  readonly onRemoved: () => void
}

/** Removes a variable that no flow says; it can be taken back from the notice, and from its history. */
export const RemoveVariable = ({ bot, id, name, onRemoved }: RemoveVariableProps) => {
  const { t } = useTranslation('designer')
  const { said, notice } = useDesigner()
  const queries = useQueryClient()
  const tell = (text: string, more: { tone?: 'failed'; action?: { label: string; run: () => void } } = {}) => {
    said.set(text)
    notice.set({ text, ...more })
  }
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['variable'] }),
      queries.invalidateQueries({ queryKey: ['bot', bot] }),
    ])
  const failed = (error: Error) => tell(isProblem(error) ? error.message : String(error), { tone: 'failed' })
  const restoring = useMutation({
    mutationFn: (revision: number) =>
      http.post('/{entity}/{id}/restore', { params: { entity: 'variable', id }, body: { revision } }),
    onSuccess: () => {
      tell(t('uses.broughtBack', { name }))
      return refresh()
    },
    onError: failed,
  })
  const removing = useMutation({
    mutationFn: () => http.delete('/{entity}/{id}', { params: { entity: 'variable', id } }),
    onSuccess: ({ revision }) => {
      const undo = { label: t('tool.undo'), run: () => restoring.mutate(revision - 1) }
      tell(t('uses.removed', { name }), { action: undo })
      onRemoved()
      return refresh()
    },
    onError: failed,
  })
  return (
    <Button size="sm" variant="outline" disabled={removing.isPending} onClick={() => removing.mutate()}>
      <Trash2 size={14} aria-hidden />
      {t('uses.remove')}
    </Button>
  )
}
