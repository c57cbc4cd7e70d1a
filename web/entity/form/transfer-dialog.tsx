import { Button, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderInput } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'
import { levelsQuery } from '#web/shell/level.ts'
import { LevelTree } from '#web/shell/level-tree.tsx'

type Preview = AnswerOf<'GET /bot/{id}/transfer'>

interface Props {
  readonly entity: 'bot' | 'user'
  readonly id: string
  readonly name: string
  /** Level that it is in. */
  readonly level: string
  onClose(): void
}

const People = ({ title, people }: { readonly title: string; readonly people: Preview['gains'] }) => {
  const { t, i18n } = useTranslation('shell')
  const named = people.items.filter(({ username }) => username !== null).map(nameOf)
  const more = people.total - named.length
  const all = [...named, ...(more > 0 ? [t('transfer.more', { count: more })] : [])]
  return (
    <Text textStyle="dense">
      <b>{title}:</b> {all.length === 0 ? t('transfer.none') : new Intl.ListFormat(i18n.language).format(all)}
    </Text>
  )
}

/** Access gains and losses. */
const TransferPreview = ({ entity, preview }: { readonly entity: Props['entity']; readonly preview: Preview }) => {
  const { t, i18n } = useTranslation('shell')
  const label = useLabel()
  const levels = useQuery(levelsQuery).data ?? []
  const list = new Intl.ListFormat(i18n.language)
  const levelNames = (ids: readonly string[]) => {
    const names = levels.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
    return names.length === 0 ? t('transfer.none') : list.format(names)
  }
  return (
    <Stack role="group" aria-label={t('transfer.preview')} gap="1.5" mt="4" p="3" borderRadius="md" bg="bg.subtle">
      <People title={t('transfer.gains')} people={preview.gains} />
      <People title={t('transfer.losses')} people={preview.losses} />
      {preview.levels === null ? null : (
        <>
          <Text textStyle="dense">
            <b>{t('transfer.reaches')}:</b> {levelNames(preview.levels.gains)}
          </Text>
          <Text textStyle="dense">
            <b>{t('transfer.leaves')}:</b> {levelNames(preview.levels.losses)}
          </Text>
        </>
      )}
      {preview.beyond.length === 0 ? null : (
        <Text textStyle="dense" color="warning.fg">
          {t('transfer.beyond')}:{' '}
          {list.format(preview.beyond.map(({ field, name }) => `${label.field(entity, field)} ${name}`))}
        </Text>
      )}
    </Stack>
  )
}

/** Moves a person or bot to another level, after showing who gains and loses sight. */
const TransferDialog = ({ entity, id, name, level, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const levels = useQuery(levelsQuery).data ?? []
  const [chosen, setChosen] = useState(level)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isReady = chosen !== level
  const preview = useQuery({
    queryKey: [entity, 'transfer', id, chosen],
    queryFn: () => http.get(`/${entity}/{id}/transfer`, { params: { id }, query: { hierarchylevel: chosen } }),
    enabled: isReady,
    staleTime: 0,
  })
  const move = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const params = { entity, id, action: 'transfer' }
      await http.post('/{entity}/{id}/{action}', { params, body: { hierarchylevel: chosen } })
      await queries.invalidateQueries()
      const to = levels.find(one => one.id === chosen)?.name ?? ''
      notice.snack(t('transfer.done', { name, level: to }), { tone: 'positive' })
      onClose()
    } catch (failure) {
      setError(isProblem(failure) ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
      setBusy(false)
    }
  }
  return (
    <Modal
      title={t('transfer.title', { name })}
      icon={<FolderInput size={18} aria-hidden="true" />}
      onClose={onClose}
      actions={
        <Button variant="solid" loading={busy} disabled={!isReady || !preview.isSuccess} onClick={() => void move()}>
          {t('transfer.move')}
        </Button>
      }
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {t(`transfer.text.${entity}`)}
      </Text>
      <LevelTree levels={levels} chosen={chosen} label={t('level.choose')} autoFocus onChoose={setChosen} />
      {isReady && preview.data ? <TransferPreview entity={entity} preview={preview.data} /> : null}
      <ErrorLine text={error} mt="3" />
    </Modal>
  )
}

/** Opens the dialog, for those who may move it. */
export const TransferButton = (props: Omit<Props, 'onClose'>) => {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FolderInput size={15} aria-hidden="true" />
        {t('transfer.open')}
      </Button>
      {isOpen ? <TransferDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
