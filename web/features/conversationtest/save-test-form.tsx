import { Box, Button, type ButtonProps, Field, HStack, Input, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, FilePenLine, FlaskConical } from 'lucide-react'
import { type FormEvent, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { lazyPart } from '#web/lazy-module.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { testAddress } from './test-query.ts'

interface KeepProps {
  readonly bot: string
  readonly source: 'simulation' | 'conversation'
  /** Proposed. */
  readonly name: string
  /** The file of what was said. */
  fileOf(name: string): Promise<{ readonly file: string }>
  onClose(): void
}

const TestFileControl = lazyPart(async () => (await import('#web/entity/form/test-file-control.tsx')).TestFileControl)

const WIDTH = 480
const EDITOR_WIDTH = 760
const EDITOR_ROWS = 16

const useKeep = ({ bot, source, fileOf }: KeepProps) => {
  const { t } = useTranslation('conversationtest')
  const client = useQueryClient()
  const [kept, setKept] = useState<string>()
  const { isBusy, failure: error, attempt } = useAttempt(t('keep.failed'))
  const [read, setRead] = useState<string>()
  const [text, setText] = useState<string>()
  const open = (name: string) =>
    attempt(async () => {
      const { file } = await fileOf(name || t('keep.title'))
      setRead(file)
      setText(file)
    })
  const keep = (name: string, gating: boolean) =>
    attempt(async () => {
      // A file that was not changed gets the name that is chosen now.
      const file = text === undefined || text === read ? (await fileOf(name)).file : text
      const { id } = await http.post('/{entity}', {
        params: { entity: 'conversationtest' },
        body: { bot, name, gating, source, file },
      })
      await client.invalidateQueries({ queryKey: ['conversationtest'] })
      setKept(id)
    })
  return { kept, error, isBusy, text, setText, open, keep }
}

interface KeptProps extends Pick<KeepProps, 'bot' | 'name' | 'onClose'> {
  readonly id: string
}

/** That it is kept, and the way to it. */
const KeptTest = ({ bot, id, name, onClose }: KeptProps) => {
  const { t } = useTranslation('conversationtest')
  const { t: ts } = useTranslation('shell')
  return (
    <Modal
      icon={<FlaskConical size={18} aria-hidden="true" />}
      title={t('keep.title')}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {ts('close')}
          </Button>
          <Button variant="solid" data-autofocus="" asChild>
            <Link to={testAddress(bot, id)}>{t('keep.see')}</Link>
          </Button>
        </>
      }
    >
      <HStack gap="2" color="positive.fg" role="status">
        <CircleCheck size={17} aria-hidden="true" />
        <Text>{t('keep.done', { name })}</Text>
      </HStack>
    </Modal>
  )
}

/** Asks for a name, shows the file on demand, and keeps what was said as a test; then leads to it. */
export const SaveTestForm = (props: KeepProps) => {
  const { t } = useTranslation('conversationtest')
  const { t: ts } = useTranslation('shell')
  const { kept, error, isBusy, text, setText, open, keep } = useKeep(props)
  const [name, setName] = useState(props.name)
  const [gating, setGating] = useState(true)
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') void keep(name.trim(), gating)
  }
  if (kept !== undefined) return <KeptTest bot={props.bot} id={kept} name={name} onClose={props.onClose} />
  return (
    <Modal
      width={text === undefined ? WIDTH : EDITOR_WIDTH}
      icon={<FlaskConical size={18} aria-hidden="true" />}
      title={t('keep.title')}
      onClose={() => (isBusy ? undefined : props.onClose())}
      footer={
        <>
          <Button variant="ghost" disabled={isBusy} onClick={props.onClose}>
            {ts('cancel')}
          </Button>
          {text === undefined ? (
            <Button variant="outline" disabled={isBusy} onClick={() => void open(name.trim())}>
              <FilePenLine size={15} aria-hidden="true" />
              {t('keep.edit')}
            </Button>
          ) : null}
          <Button
            variant="solid"
            type="submit"
            form={form}
            loading={isBusy}
            disabled={name.trim() === '' || text?.trim() === ''}
          >
            {t('keep.save')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Text color="fg.muted" mb="3">
          {t(props.source === 'conversation' ? 'keep.personal' : 'keep.text')}
        </Text>
        <Field.Root required>
          <Field.Label>{t('keep.name')}</Field.Label>
          <Input data-autofocus="" value={name} maxLength={200} onChange={event => setName(event.target.value)} />
        </Field.Root>
        <SwitchLabel label={t('keep.gating')} line={{ mt: '3' }} value={gating} onChange={setGating} />
      </form>
      {text === undefined ? null : (
        <Box mt="4">
          <Suspense fallback={<RowsSkeleton rows={4} />}>
            <TestFileControl
              values={{ file: text }}
              readOnly={false}
              rows={EDITOR_ROWS}
              onChange={(_, value) => setText(typeof value === 'string' ? value : '')}
            />
          </Suspense>
        </Box>
      )}
      <ErrorLine text={error} mt="3" />
    </Modal>
  )
}

interface KeepConversationProps extends Omit<ButtonProps, 'id' | 'onClick'> {
  readonly id: string
  readonly bot: string
  /** Proposed. */
  readonly proposed?: string
  /** Whether what was said may be read. */
  readonly words: boolean
  /** The button has no text in it. */
  readonly isIcon?: boolean
}

/** Keeps what was said in a conversation as a test of its bot. */
export const SaveConversationAsTest = ({
  id,
  bot,
  proposed = '',
  words,
  isIcon = false,
  ...button
}: KeepConversationProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!words || !can('createconversationtest')) return null
  return (
    <>
      {isIcon ? (
        <IconButton {...button} icon={FlaskConical} label={t('keep.do')} onClick={() => setOpen(true)} />
      ) : (
        <Button {...button} onClick={() => setOpen(true)}>
          <FlaskConical size={14} aria-hidden="true" />
          {t('keep.do')}
        </Button>
      )}
      {isOpen ? (
        <SaveTestForm
          bot={bot}
          source="conversation"
          name={proposed}
          fileOf={name => http.post('/conversation/{id}/test', { params: { id }, body: { name } })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
