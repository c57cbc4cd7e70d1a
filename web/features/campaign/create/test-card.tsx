import { Box, Button, chakra, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { Card } from '#web/components/card.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Segments } from '#web/components/segments.tsx'
import { Tick } from '#web/entity/list/unlabelled-checkbox.tsx'
import { useAttempt } from '#web/notice/use-attempt.ts'

type Numbers = AnswerOf<'GET /campaign/{id}/testnumbers'>
type Results = AnswerOf<'POST /campaign/{id}/test'>['results']

const MAX_PHONES = 5

interface FieldProps {
  readonly label: string
  readonly verb: string
  readonly inputMode: 'tel' | 'numeric'
  readonly busy: boolean
  onSubmit(value: string): void
}

/** A text with the button that uses it. */
const SubmittedText = ({ label, verb, inputMode, busy, onSubmit }: FieldProps) => {
  const [value, setValue] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (value.trim() !== '') onSubmit(value.trim())
  }
  return (
    <chakra.form onSubmit={submit} display="flex" gap="2" flexWrap="wrap">
      <Input
        flex="1 1 180px"
        maxW="260px"
        inputMode={inputMode}
        autoComplete="off"
        maxLength={40}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={event => setValue(event.target.value)}
      />
      <Button type="submit" variant="outline" loading={busy}>
        {verb}
      </Button>
    </chakra.form>
  )
}

const ResultList = ({ results }: { readonly results: Results }) => {
  const { t } = useTranslation('campaign')
  return (
    <Box role="status" textStyle="dense">
      {results.map(({ phone, sent, text }) => (
        <Text key={phone} color={sent ? 'positive.fg' : 'danger.fg'}>
          {sent ? t('test.sent', { phone }) : t('test.notsent', { phone, text })}
        </Text>
      ))}
    </Box>
  )
}

interface ChosenProps {
  readonly items: Numbers['items']
  readonly chosen: readonly string[]
  onChoose(phones: readonly string[]): void
}

const NumberList = ({ items, chosen, onChoose }: ChosenProps) => {
  const { t } = useTranslation('campaign')
  const toggle = (phone: string) =>
    onChoose(chosen.includes(phone) ? chosen.filter(each => each !== phone) : [...chosen, phone])
  return items.map(({ id, phone, verified }) => (
    <HStack key={id} gap="1" textStyle="dense">
      <Tick
        label={phone}
        checked={chosen.includes(phone)}
        disabled={!verified || (chosen.length >= MAX_PHONES && !chosen.includes(phone))}
        onChange={() => toggle(phone)}
      />
      <Text>{verified ? phone : t('test.unverified', { phone })}</Text>
    </HStack>
  ))
}

interface VariantProps {
  readonly value: 'a' | 'b'
  onChange(value: 'a' | 'b'): void
}

/** One of the two templates of a comparison. */
export const VariantChoice = ({ value, onChange }: VariantProps) => {
  const { t } = useTranslation('campaign')
  return (
    <Segments<'a' | 'b'>
      label={t('compare.title')}
      value={value}
      options={(['a', 'b'] as const).map(each => ({
        value: each,
        label: t('test.template', { name: t(`compare.${each}`) }),
      }))}
      onChange={onChange}
    />
  )
}

/** Sends the message to telephones of the own people before it goes to everybody. */
export const TestCard = ({ campaign, isCompared }: { readonly campaign: string; readonly isCompared: boolean }) => {
  const { t } = useTranslation('campaign')
  const client = useQueryClient()
  const query = ['campaign', 'testnumbers', campaign]
  const { data } = useQuery({
    queryKey: query,
    queryFn: ({ signal }) => http.get('/campaign/{id}/testnumbers', { params: { id: campaign }, signal }),
  })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [variant, setVariant] = useState<'a' | 'b'>('a')
  const [asked, setAsked] = useState<string>()
  const [results, setResults] = useState<Results>([])
  const { isBusy: busy, failure, attempt } = useAttempt(t('test.failed'))
  const run = (work: () => Promise<void>) =>
    attempt(async () => {
      setResults([])
      await work()
      await client.invalidateQueries({ queryKey: query })
    })
  const params = { id: campaign }
  const send = (phones: readonly string[]) =>
    run(async () => {
      const answer = await http.post('/campaign/{id}/test', { params, body: { phones: [...phones], variant } })
      setResults(answer.results)
    })
  const begin = (phone: string) =>
    run(async () => {
      setAsked((await http.post('/campaign/{id}/testnumbers', { params, body: { phone } })).id)
    })
  const verify = (code: string) =>
    run(async () => {
      await http.post('/campaign/{id}/testnumbers/verify', { params, body: { number: asked ?? '', code } })
      setAsked(undefined)
    })
  if (data === undefined) return null
  return (
    <Card title={t('test.title')}>
      <Stack px="4" pb="4" gap="3" align="start">
        <Text textStyle="dense" color="fg.muted">
          {t(data.simulated ? 'test.simulated' : 'test.text')}
        </Text>
        {isCompared ? <VariantChoice value={variant} onChange={setVariant} /> : null}
        {data.simulated ? (
          <SubmittedText
            label={t('test.persona')}
            verb={t('test.send')}
            inputMode="tel"
            busy={busy}
            onSubmit={phone => void send([phone])}
          />
        ) : (
          <>
            <NumberList items={data.items} chosen={chosen} onChoose={setChosen} />
            {chosen.length === 0 ? null : (
              <Button variant="outline" loading={busy} onClick={() => void send(chosen)}>
                <Send size={15} aria-hidden="true" />
                {t('test.send')}
              </Button>
            )}
            {asked === undefined ? (
              <SubmittedText
                key="phone"
                label={t('test.phone')}
                verb={t('test.code')}
                inputMode="tel"
                busy={busy}
                onSubmit={phone => void begin(phone)}
              />
            ) : (
              <HStack gap="2" flexWrap="wrap">
                <SubmittedText
                  key="code"
                  label={t('test.sentcode')}
                  verb={t('test.verify')}
                  inputMode="numeric"
                  busy={busy}
                  onSubmit={code => void verify(code)}
                />
                <Button variant="ghost" onClick={() => setAsked(undefined)}>
                  {t('test.other')}
                </Button>
              </HStack>
            )}
          </>
        )}
        <ResultList results={results} />
        <ErrorLine text={failure} />
      </Stack>
    </Card>
  )
}
