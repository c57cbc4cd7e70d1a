import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { SAMPLE_AWAY } from '#web/shell/storage-keys.ts'

/** While the sample is being made. */
const LOOK_MS = 1_000

const sampleQuery = queryOptions({
  queryKey: ['sample'],
  queryFn: () => http.get('/sample'),
  refetchInterval: ({ state }) => (state.data?.state === 'making' ? LOOK_MS : false),
})

const RemoveDialog = ({ onClose }: { onClose(): void }) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => http.delete('/sample', {}),
    onSuccess: ({ kept }) => {
      void client.invalidateQueries()
      if (kept.length === 0) onClose()
    },
  })
  const kept = removal.data?.kept ?? []
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
            {t(kept.length > 0 ? 'close' : 'cancel')}
          </Button>
          {kept.length > 0 ? null : (
            <Button variant="solid" colorPalette="danger" loading={removal.isPending} onClick={() => removal.mutate()}>
              {t('sample.remove')}
            </Button>
          )}
        </>
      }
    >
      <Text textStyle="body" color="fg.muted">
        {kept.length > 0 ? t('sample.kept', { names: kept.join(', ') }) : t('sample.removetext')}
      </Text>
      {removal.error ? (
        <Text role="alert" mt="3" color="danger.fg">
          {failureOf(removal.error, t('error.noanswer'))}
        </Text>
      ) : null}
    </Modal>
  )
}

/** The sample workspace: its making, or what an administrator may do with it afterwards. */
export const SampleCard = ({ when }: { readonly when: 'making' | 'made' }) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { data: sample } = useQuery(sampleQuery)
  const [isAsked, setAsked] = useState(false)
  const [isAway, setAway] = useState(() => localStorage.getItem(SAMPLE_AWAY + user.id) !== null)
  const isMaking = sample?.state === 'making'
  if (sample === undefined || isMaking !== (when === 'making')) return null
  if (!isMaking && (isAway || !sample.removable)) return null
  const putAway = () => {
    localStorage.setItem(SAMPLE_AWAY + user.id, '1')
    setAway(true)
  }
  return (
    <Box as="section" aria-label={t('sample.title')} borderWidth="1px" borderRadius="lg" bg="bg.surface" p="4">
      <HStack gap="3" align="flex-start">
        <Box color="fg.muted" pt="0.5">
          <FlaskConical size={18} aria-hidden="true" />
        </Box>
        <Box flex="1" minW="0">
          <Text as="h2" textStyle="card">
            {t(isMaking ? 'sample.making' : 'sample.title')}
          </Text>
          <Text textStyle="secondary" color="fg.muted" mt="1">
            {t(isMaking ? 'sample.makingtext' : 'sample.text')}
          </Text>
          {isMaking ? <ProgressBar label={t('sample.making')} percent={100 * sample.share} mt="3" /> : null}
          {sample.removable ? (
            <Button mt="3" size="sm" variant="outline" onClick={() => setAsked(true)}>
              <Trash2 size={14} aria-hidden="true" />
              {t('sample.remove')}
            </Button>
          ) : null}
        </Box>
        {isMaking ? null : <IconButton icon={X} size="xs" label={t('sample.away')} onClick={putAway} />}
      </HStack>
      {isAsked ? <RemoveDialog onClose={() => setAsked(false)} /> : null}
    </Box>
  )
}
