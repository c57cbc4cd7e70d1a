import { Box, Button, Field, HStack, Input, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate, Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine, ErrorState } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { MessagePreview } from '#web/entity/form/template/message-preview.tsx'
import { useLabel } from '#web/entity/label.ts'
import { type DeskChatDetail, deskAct } from './desk-query.ts'

type SentTemplate = AnswerOf<'GET /desk/chat/{id}/templates'>['items'][number]
type Values = Readonly<Record<string, string>>

const MAX_VALUE = 1024

/** Text of a template; a variable without a value keeps its braces. */
const filled = ({ text }: SentTemplate, values: Values): string =>
  text.replace(/\{\{([\w.]+)\}\}/gu, (braces, name: string) => values[name]?.trim() || braces)

/** A variable in words: a number is that of the text. */
const useVariableName = () => {
  const { t } = useTranslation('desk')
  return (name: string): string => {
    const [kind = '', place = ''] = name.split('.')
    if (/^\d+$/u.test(name)) return t('template.variable', { name })
    if (kind === 'button') return t('template.button', { place })
    return kind === 'header' || kind === 'code' ? t(`template.${kind}`) : name
  }
}

interface FormProps {
  readonly chat: DeskChatDetail
  readonly templates: readonly SentTemplate[]
  readonly onClose: () => void
}

const TemplateForm = ({ chat, templates, onClose }: FormProps) => {
  const { t } = useTranslation('desk')
  const { t: ts } = useTranslation('shell')
  const client = useQueryClient()
  const label = useLabel()
  const variableName = useVariableName()
  const [chosen, choose] = useState('')
  const [values, setValues] = useState<Values>({})
  const [id, setId] = useState(() => crypto.randomUUID())
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const template = templates.find(one => one.id === chosen)
  const isReady = template?.variables.every(name => (values[name] ?? '').trim() !== '') === true
  const send = async () => {
    if (template === undefined) return
    setBusy(true)
    setFailure(undefined)
    const given = Object.fromEntries(template.variables.map(name => [name, values[name]?.trim() ?? '']))
    try {
      await deskAct.template(chat.conversation, { id, template: template.id, values: given, seen: chat.position })
      await client.invalidateQueries({ queryKey: ['desk'] })
      onClose()
    } catch (error) {
      setFailure(failureOf(error, t('words.noanswer')))
      setBusy(false)
    }
  }
  const change = (next: () => void) => {
    // Another template is another message.
    setId(crypto.randomUUID())
    next()
  }
  return (
    <Stack gap="4">
      <Field.Root required>
        <Field.Label>{t('template.choose')}</Field.Label>
        <NativeSelect.Root>
          <NativeSelect.Field
            minH={{ base: '11', md: '9' }}
            value={chosen}
            onChange={event => change(() => choose(event.target.value))}
          >
            <option value="">{t('template.none')}</option>
            {templates.map(one => (
              <option key={one.id} value={one.id}>
                {`${one.name} · ${one.language} · ${label.option('template', 'category', one.category)}`}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field.Root>
      {template?.variables.map(name => (
        <Field.Root key={name} required>
          <Field.Label>{variableName(name)}</Field.Label>
          <Input
            minH={{ base: '11', md: '9' }}
            maxLength={MAX_VALUE}
            value={values[name] ?? ''}
            onChange={event => change(() => setValues({ ...values, [name]: event.target.value }))}
          />
        </Field.Root>
      ))}
      {template === undefined ? null : (
        <Box>
          <Text textStyle="secondary" color="fg.muted" mb="1" aria-hidden="true">
            {t('template.preview')}
          </Text>
          <MessagePreview label={t('template.preview')} text={filled(template, values)} buttons={template.buttons} />
        </Box>
      )}
      <ErrorLine text={failure} />
      <HStack justify="flex-end">
        <Button variant="ghost" minH={{ base: '11', md: '9' }} onClick={onClose}>
          {ts('cancel')}
        </Button>
        <Button
          variant="solid"
          minH={{ base: '11', md: '9' }}
          disabled={!isReady}
          loading={isBusy}
          onClick={() => void send()}
        >
          <Send size={15} aria-hidden="true" />
          {t('template.send')}
        </Button>
      </HStack>
    </Stack>
  )
}

const TemplateDialog = ({ chat, onClose }: Omit<FormProps, 'templates'>) => {
  const { t } = useTranslation('desk')
  const id = chat.conversation
  const { data, error, refetch } = useQuery({
    queryKey: ['desk', 'templates', id],
    queryFn: ({ signal }) => http.get('/desk/chat/{id}/templates', { params: { id }, signal }),
  })
  return (
    <Modal open onClose={onClose} title={t('template.title', { name: chat.person })}>
      {data !== undefined ? (
        data.items.length === 0 ? (
          <Text color="fg.muted">{t('template.empty')}</Text>
        ) : (
          <TemplateForm chat={chat} templates={data.items} onClose={onClose} />
        )
      ) : error === null ? (
        <RowsSkeleton rows={3} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Modal>
  )
}

/** Over the answer field of a chat whose channel accepts only templates. */
export const TemplateOffer = ({ chat }: { readonly chat: DeskChatDetail }) => {
  const { t } = useTranslation('desk')
  const [isOpen, setOpen] = useState(false)
  if (chat.window === null || Date.parse(chat.window) > Date.now()) return null
  return (
    <HStack
      px={{ base: '3', md: '5' }}
      py="2.5"
      gap="3"
      flexWrap="wrap"
      flex="none"
      bg="bg.surface"
      borderTopWidth="1px"
    >
      <Text flex="1" minW="200px" textStyle="dense">
        {t('template.offer', { name: chat.person })}
      </Text>
      <Button minH={{ base: '11', md: '9' }} flexGrow={{ base: 1, md: 0 }} onClick={() => setOpen(true)}>
        <LayoutTemplate size={15} aria-hidden="true" />
        {t('template.open')}
      </Button>
      {isOpen ? <TemplateDialog chat={chat} onClose={() => setOpen(false)} /> : null}
    </HStack>
  )
}
