import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { queryOptions, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Trash2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { notice } from '#web/notice/notice.ts'
import { SAMPLE_AWAY } from '#web/shell/storage-keys.ts'

/** While the sample is being made or removed. */
const LOOK_MS = 1_000

const REMOVAL = ['sample', 'removal']

const isBusy = (state: string | undefined): boolean => state === 'making' || state === 'removing'

const sampleQuery = queryOptions({
  queryKey: ['sample'],
  queryFn: () => http.get('/sample'),
  refetchInterval: ({ state }) => (isBusy(state.data?.state) ? LOOK_MS : false),
})

/** Removes the sample, also when its dialog or the page is closed meanwhile. */
const useRemoval = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  return useMutation({
    mutationKey: REMOVAL,
    mutationFn: () => http.delete('/sample', {}),
    onMutate: async () => {
      await client.cancelQueries({ queryKey: sampleQuery.queryKey })
      client.setQueryData(sampleQuery.queryKey, { state: 'removing', share: 0, removable: false })
    },
    onSuccess: ({ kept }) => {
      if (kept.length === 0) notice.toast(t('sample.removed'), { tone: 'positive' })
      else notice.toast(t('sample.kept', { names: kept.join(', ') }), { tone: 'warning', lasts: undefined })
    },
    onError: failure => notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' }),
    onSettled: () => client.invalidateQueries(),
  })
}

interface RemoveDialogProps {
  onClose(): void
  onRemove(): void
}

const RemoveDialog = ({ onClose, onRemove }: RemoveDialogProps) => {
  const { t } = useTranslation('shell')
  return (
    <Modal
      open
      alert
      tone="danger"
      icon={<Trash2 size={18} aria-hidden="true" />}
      title={t('sample.removetitle')}
      onClose={onClose}
      footer={
        <>
          <Text flex="1" />
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" colorPalette="danger" onClick={onRemove}>
            {t('sample.remove')}
          </Button>
        </>
      }
    >
      <Text textStyle="body" color="fg.muted">
        {t('sample.removetext')}
      </Text>
    </Modal>
  )
}

/** The sample workspace: its making and its removal, or what an administrator may do with it between them. */
export const SampleCard = ({ when }: { readonly when: 'busy' | 'made' }) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { data: sample } = useQuery(sampleQuery)
  const removal = useRemoval()
  const [isAsked, setAsked] = useState(false)
  const [isAway, setAway] = useState(() => localStorage.getItem(SAMPLE_AWAY + user.id) !== null)
  const section = useRef<HTMLDivElement>(null)
  const isRemoving = useIsMutating({ mutationKey: REMOVAL }) > 0 && sample?.state === 'removing'
  // The button that started it is at the bottom of a phone's page, and disappears.
  useEffect(() => {
    if (isRemoving) section.current?.focus()
  }, [isRemoving])
  if (sample === undefined || isBusy(sample.state) !== (when === 'busy')) return null
  if (when === 'made' && (isAway || !sample.removable)) return null
  const work = when === 'made' ? undefined : sample.state === 'making' ? 'making' : 'removing'
  const remove = () => {
    setAsked(false)
    removal.mutate()
  }
  const putAway = () => {
    localStorage.setItem(SAMPLE_AWAY + user.id, '1')
    setAway(true)
  }
  return (
    <Box
      ref={section}
      as="section"
      tabIndex={-1}
      aria-label={t('sample.title')}
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      p="4"
    >
      <HStack gap="3" align="flex-start">
        <Box color="fg.muted" pt="0.5">
          <FlaskConical size={18} aria-hidden="true" />
        </Box>
        <Box flex="1" minW="0">
          <Text as="h2" textStyle="card">
            {t(work === undefined ? 'sample.title' : `sample.${work}`)}
          </Text>
          <Text textStyle="secondary" color="fg.muted" mt="1">
            {t(work === undefined ? 'sample.text' : `sample.${work}text`)}
          </Text>
          {work === undefined ? null : <ProgressBar label={t(`sample.${work}`)} percent={100 * sample.share} mt="3" />}
          {sample.removable ? (
            <Button mt="3" size="sm" variant="outline" onClick={() => setAsked(true)}>
              <Trash2 size={14} aria-hidden="true" />
              {t('sample.remove')}
            </Button>
          ) : null}
        </Box>
        {work !== undefined ? null : <IconButton icon={X} size="xs" label={t('sample.away')} onClick={putAway} />}
      </HStack>
      {isAsked ? <RemoveDialog onClose={() => setAsked(false)} onRemove={remove} /> : null}
    </Box>
  )
}
