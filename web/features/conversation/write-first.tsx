import { Button, Field, HStack, Stack, Text, Textarea } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { isPushed } from '#schemas/channel-type.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { momentOf } from '#web/format/time.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { SendFooter, TemplateForm } from './template-form.tsx'

type Offer = AnswerOf<'GET /conversation/{id}/write'>
type Words = BodyOf<'POST /conversation/{id}/write'>

/** An ended conversation. */
interface Ended {
  readonly id: string
  readonly bot: string
  readonly channeltype: string
  /** Name of its person. */
  readonly name: string
}

interface PartProps {
  readonly offer: Offer
  readonly onWrite: (words: Words) => Promise<unknown>
  readonly onClose: () => void
}

const FreeWords = ({ offer, name, onWrite, onClose }: PartProps & Pick<Ended, 'name'>) => {
  const { t } = useTranslation('desk')
  const { t: ts } = useTranslation('shell')
  const [text, setText] = useState('')
  const [id, setId] = useState(() => crypto.randomUUID())
  const { isBusy, failure, attempt } = useAttempt(ts('error.noanswer'))
  const isReady = text.trim() !== '' && !isBusy
  const send = async () => {
    if (!isReady) return
    await attempt(async () => {
      await onWrite({ id, text: text.trim() })
      onClose()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
  }
  return (
    <Stack gap="4">
      <Field.Root required>
        <Field.Label>{t('first.message')}</Field.Label>
        <Textarea
          data-autofocus
          rows={4}
          maxLength={DESK_LIMITS.text}
          placeholder={t('composer.placeholderfirst', { name })}
          value={text}
          onKeyDown={onKeyDown}
          onChange={event => {
            // Other words are another message.
            setId(crypto.randomUUID())
            setText(event.target.value)
          }}
        />
        {offer.window === null ? null : (
          <Field.HelperText>{t('first.until', { time: momentOf(offer.window) })}</Field.HelperText>
        )}
      </Field.Root>
      <SendFooter
        action={t('composer.send')}
        failure={failure}
        isReady={isReady}
        isBusy={isBusy}
        onSend={() => void send()}
        onClose={onClose}
      />
    </Stack>
  )
}

/** Free words while the channel takes them, else a template. */
const Offered = ({ offer, ended, onWrite, onClose }: PartProps & { readonly ended: Ended }) => {
  const { t } = useTranslation('desk')
  const { window, templates, conversation } = offer
  const isOpen = window === null || Date.parse(window) > Date.now()
  const [kind, setKind] = useState<'words' | 'template'>(isOpen ? 'words' : 'template')
  if (conversation !== null)
    return (
      <Stack gap="4">
        <Text>{t('first.open')}</Text>
        <HStack justify="flex-end">
          <Button variant="solid" minH={{ base: '11', md: '9' }} asChild>
            <Link to={`/bot/conversation/${ended.bot}?open=${conversation}`} onClick={onClose}>
              {t('first.openit')}
            </Link>
          </Button>
        </HStack>
      </Stack>
    )
  return (
    <Stack gap="4">
      <Text color="fg.muted">{t(isOpen ? 'first.text' : 'first.over')}</Text>
      {isOpen && templates.length > 0 ? (
        <Segments<'words' | 'template'>
          label={t('first.kind')}
          value={kind}
          options={[
            { value: 'words', label: t('first.words') },
            { value: 'template', label: t('template.choose') },
          ]}
          onChange={setKind}
        />
      ) : null}
      {kind === 'words' ? (
        <FreeWords offer={offer} name={ended.name} onWrite={onWrite} onClose={onClose} />
      ) : templates.length === 0 ? (
        <Text>{t('template.empty')}</Text>
      ) : (
        <TemplateForm templates={templates} onSend={onWrite} onClose={onClose} />
      )}
    </Stack>
  )
}

const WriteDialog = ({ ended, onClose }: { readonly ended: Ended; readonly onClose: () => void }) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const goOn = useGuardedNavigate()
  const { id, name } = ended
  const { data, error, refetch } = useQuery({
    queryKey: ['conversation', 'first', id],
    queryFn: ({ signal }) => http.get('/conversation/{id}/write', { params: { id }, signal }),
    staleTime: 0,
  })
  const write = async (body: Words) => {
    const { conversation } = await http.post('/conversation/{id}/write', { params: { id }, body, key: body.id })
    for (const key of ['conversation', 'desk']) void client.invalidateQueries({ queryKey: [key] })
    await goOn(`/desk?open=${conversation}`)
  }
  return (
    <Modal onClose={onClose} title={t('first.title', { name })}>
      {data !== undefined ? (
        <Offered offer={data} ended={ended} onWrite={write} onClose={onClose} />
      ) : error === null ? (
        <RowsSkeleton rows={3} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Modal>
  )
}

/** Begins the next conversation with the person of an ended one. Absent where the channel or the rights do not allow it. */
export const WriteFirst = (ended: Ended) => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!can('takeoverconversation') || !can('answerconversation') || !isPushed(ended.channeltype)) return null
  return (
    <>
      <Button minH={{ base: '11', md: '8' }} onClick={() => setOpen(true)}>
        <MessageSquarePlus size={15} aria-hidden="true" />
        {t('first.do')}
      </Button>
      {isOpen ? <WriteDialog ended={ended} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
