import { Box, Button, Field, HStack, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { MessagePreview } from '#web/entity/form/template/message-preview.tsx'
import { useVariableName } from '#web/entity/form/template/variable-name.ts'
import { useLabel } from '#web/entity/label.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { useAttempt } from '#web/notice/use-attempt.ts'

type SentTemplate = AnswerOf<'GET /desk/chat/{id}/templates'>['items'][number]
type Values = Readonly<Record<string, string>>

const MAX_VALUE = 1024

/** Text of a template; a variable without a value keeps its braces. */
const filled = ({ text }: SentTemplate, values: Values): string =>
  text.replace(/\{\{([\w.]+)\}\}/gu, (braces, name: string) => values[name]?.trim() || braces)

interface SendFooterProps {
  readonly action: string
  readonly failure: string | undefined
  readonly isReady: boolean
  readonly isBusy: boolean
  onSend(): void
  onClose(): void
}

/** Buttons below what is sent to a person, and why it was refused. */
export const SendFooter = ({ action, failure, isReady, isBusy, onSend, onClose }: SendFooterProps) => {
  const { t } = useTranslation('shell')
  return (
    <>
      <ErrorLine text={failure} />
      <HStack justify="flex-end" position="sticky" bottom="-4" py="3" mb="-3" bg="bg.raised" borderTopWidth="1px">
        <Button variant="ghost" minH={{ base: '11', md: '9' }} onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button variant="solid" minH={{ base: '11', md: '9' }} disabled={!isReady} loading={isBusy} onClick={onSend}>
          <Send size={15} aria-hidden="true" />
          {action}
        </Button>
      </HStack>
    </>
  )
}

interface ChosenTemplate {
  /** A repeated request with it writes once. */
  readonly id: string
  readonly template: string
  readonly values: Record<string, string>
}

interface FormProps {
  readonly templates: readonly SentTemplate[]
  readonly onSend: (chosen: ChosenTemplate) => Promise<unknown>
  readonly onClose: () => void
}

/** Sends an approved template to the person of a chat; a refusal is shown, and what was typed stays. */
export const TemplateForm = ({ templates, onSend, onClose }: FormProps) => {
  const { t } = useTranslation('desk')
  const label = useLabel()
  const variableName = useVariableName()
  const [chosen, choose] = useState('')
  const [values, setValues] = useState<Values>({})
  const [id, setId] = useState(() => crypto.randomUUID())
  const { isBusy, failure, attempt } = useAttempt(t('words.noanswer'))
  const template = templates.find(one => one.id === chosen)
  const isReady = template?.variables.every(name => (values[name] ?? '').trim() !== '') === true
  const send = async () => {
    if (template === undefined) return
    await attempt(async () => {
      const given = Object.fromEntries(template.variables.map(name => [name, values[name]?.trim() ?? '']))
      await onSend({ id, template: template.id, values: given })
      onClose()
    })
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
        <Select
          field={{ minH: { base: '11', md: '9' } }}
          value={chosen}
          none={t('template.none')}
          options={templates.map(one => [
            one.id,
            `${one.name} · ${one.language} · ${label.option('template', 'category', one.category)}`,
          ])}
          onChange={id => change(() => choose(id))}
        />
      </Field.Root>
      {template === undefined ? null : (
        <Box>
          <Text textStyle="secondary" color="fg.muted" mb="1" aria-hidden="true">
            {t('template.preview')}
          </Text>
          <MessagePreview label={t('template.preview')} text={filled(template, values)} buttons={template.buttons} />
        </Box>
      )}
      {template === undefined || template.variables.length === 0 ? null : (
        <SimpleGrid columns={{ base: 1, md: template.variables.length === 1 ? 1 : 2 }} gap="3">
          {template.variables.map(name => (
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
        </SimpleGrid>
      )}
      <SendFooter
        action={t('template.send')}
        failure={failure}
        isReady={isReady}
        isBusy={isBusy}
        onSend={() => void send()}
        onClose={onClose}
      />
    </Stack>
  )
}
