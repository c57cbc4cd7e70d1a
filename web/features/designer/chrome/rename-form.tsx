import { Button, chakra, Input } from '@chakra-ui/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useDesigner } from '../session/designer.ts'

interface RenameFormProps {
  readonly bot: string
  readonly name: string
  /** Of how many texts in how many flows the name would change. */
  readonly texts: number
  readonly flows: number
  readonly onClose: () => void
  readonly onRenamed: (name: string) => void
}

const wordsOf = (error: unknown) => (isProblem(error) ? (error.errors[0]?.message ?? error.message) : String(error))

interface Renaming extends Pick<RenameFormProps, 'bot' | 'name' | 'onRenamed'> {
  readonly next: string
}

const useRenaming = ({ bot, name, next, onRenamed }: Renaming) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => http.post('/bot/{id}/flow/rename', { params: { id: bot }, body: { variable: name, name: next } }),
    onSuccess: async ({ left = [] }) => {
      const places = left.slice(0, 3).map(place => `${place.name}: ${place.field}`)
      const stayed = left.length === 0 ? '' : `. ${t('seek.leftAt', { count: left.length, places: places.join(', ') })}`
      const words = t('uses.renamed', { from: name, to: next }) + stayed
      designer.said.set(words)
      designer.notice.set({ text: words })
      onRenamed(next)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['variable'] }),
        queries.invalidateQueries({ queryKey: ['bot', bot] }),
      ])
    },
  })
}

/** Gives a variable another name, in its declaration and wherever a flow of the bot says it. */
export const RenameForm = ({ bot, name, texts, flows, onClose, onRenamed }: RenameFormProps) => {
  const { t } = useTranslation('designer')
  const [next, setNext] = useState(name)
  const renaming = useRenaming({ bot, name, next: next.trim(), onRenamed })
  const isSame = next.trim() === '' || next.trim() === name
  return (
    <chakra.form
      display="grid"
      gap="2"
      onSubmit={event => {
        event.preventDefault()
        if (!isSame) renaming.mutate()
      }}
    >
      <div className="pl-seek-row">
        <Input
          autoFocus
          value={next}
          maxLength={200}
          aria-label={t('uses.newName')}
          aria-invalid={renaming.error !== null}
          onChange={event => setNext(event.target.value)}
        />
        <Button
          type="submit"
          size="sm"
          variant="solid"
          colorPalette="accent"
          disabled={isSame}
          loading={renaming.isPending}
        >
          {t('uses.rename')}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
      {renaming.error === null ? (
        <chakra.p fontSize="xs" color="fg.muted">
          {t('uses.renameWhere', { count: texts, flows: t('seek.flows', { count: flows }) })}
        </chakra.p>
      ) : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg">
          {wordsOf(renaming.error)}
        </chakra.p>
      )}
    </chakra.form>
  )
}
