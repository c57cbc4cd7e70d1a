import { Box, Button, Field, HStack, Stack, Text, Textarea } from '@chakra-ui/react'
import { FileJson, FlaskConical, Play } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readAgentEvents } from '#domain/agent-event.ts'
import { type ProfileFault, profileRules, readAgentProfile } from '#domain/agent-profile.ts'
import { agentProfileExample } from '#domain/agent-profile-example.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { Chip } from '#web/components/chip.tsx'
import { CodePane } from '#web/components/code-pane.tsx'
import { syntaxErrors } from '#web/components/editor-theme.ts'
import { evaluator } from '#web/expression/evaluator.ts'
import { LabelledSelect } from '../labelled-select.tsx'
import { agentProfileSupport, profileFaults } from './agent-profile-support.ts'
import type { CodeProps } from './control-props.ts'

const LINE_PX = 20

/** A chat for rules that make the body of a call. */
const CHAT = {
  key: '0123456789abcdef0123456789abcdef',
  conversation: 'conversation-1',
  person: { id: '5511999990000', name: 'Ana', data: { email: 'ana@example.com' } },
  locale: 'pt',
  queue: 'sac',
  fields: {},
  transcript: '09:12 Ana: Oi',
  said: 'Oi',
  webhook: 'https://bots.example.com/agent/…/webhook',
}
const MESSAGE = { id: `${CHAT.key}-1`, text: 'Oi', files: [] }

const faultKey = ({ path, fault }: ProfileFault) => ({ path: path === '' ? 'JSON' : path, fault })

type Outcome = { readonly value: Json } | { readonly fault: string }

/** Evaluates a rule over a pasted answer, beside the page. */
const tryRule = async (source: string, answer: Json, values: JsonObject): Promise<Outcome> => {
  const input = {
    ...{ answer, body: answer, status: 200, headers: {}, query: {}, chat: CHAT, message: MESSAGE, link: {} },
    ...{ queue: CHAT.queue, now: Date.now(), fields: {}, values },
  }
  const outcome = await evaluator.evaluate({ kind: 'path', parser: 'JsonAta', source, input })
  return outcome.ok ? { value: (outcome.value ?? null) as Json } : { fault: outcome.fault.code }
}

const Events = ({ value }: { readonly value: Json }) => {
  const { t } = useTranslation('entity/agentchannel')
  const read = readAgentEvents(value)
  const events = read.filter(event => event.kind !== 'unread')
  const isPartlyUnread = read.length > events.length
  const given = value === null ? 0 : Array.isArray(value) ? value.length : 1
  return (
    <Stack gap="1.5" role="status">
      {events.length === 0 ? <Text color="fg.muted">{t('profile.noevents')}</Text> : null}
      {events.map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the events of one answer keep their order
        <HStack key={at} gap="2" align="start">
          <Chip tone={event.kind === 'error' ? 'danger' : 'info'}>{t(`profile.event.${event.kind}`)}</Chip>
          <Text textStyle="dense" overflowWrap="anywhere" minW="0">
            {[
              'agent' in event ? event.agent.name : '',
              'text' in event ? event.text : '',
              'position' in event ? String(event.position) : '',
              'code' in event ? event.code : '',
              'id' in event ? `#${event.id}` : '',
            ]
              .filter(part => part !== '')
              .join(' · ')}
          </Text>
        </HStack>
      ))}
      {given > events.length ? (
        <Text textStyle="dense" color="warning.fg">
          {t('profile.leftout', { count: given - events.length })}
        </Text>
      ) : isPartlyUnread ? (
        <Text textStyle="dense" color="warning.fg">
          {t('profile.nofile')}
        </Text>
      ) : null}
    </Stack>
  )
}

/** Tries one rule of the profile against an answer of the system. */
const RuleTrial = ({ text }: { readonly text: string }) => {
  const { t } = useTranslation('entity/agentchannel')
  const id = useId()
  const [chosen, setChosen] = useState('events.list')
  const [answer, setAnswer] = useState('')
  const [outcome, setOutcome] = useState<{ readonly rule: string; readonly outcome: Outcome }>()
  const { profile } = useMemo(() => readAgentProfile(text), [text])
  if (profile === undefined)
    return (
      <Text textStyle="dense" color="fg.muted">
        {t('profile.tryfaulty')}
      </Text>
    )
  const rules = Object.entries(profileRules(profile)).flatMap(([name, source]) =>
    source === undefined ? [] : [[name, source] as const],
  )
  const [rule, source] = rules.find(([name]) => name === chosen) ?? rules[0] ?? ['', '']
  const run = async () => {
    let given: Json
    try {
      given = answer.trim() === '' ? null : (JSON.parse(answer) as Json)
    } catch {
      return setOutcome({ rule, outcome: { fault: 'json' } })
    }
    setOutcome({ rule, outcome: await tryRule(source, given, profile.values) })
  }
  return (
    <Stack gap="3">
      <LabelledSelect
        label={t('profile.rule')}
        value={rule}
        options={rules.map(([name]) => [name, name] as const)}
        onChange={name => {
          setChosen(name)
          setOutcome(undefined)
        }}
      />
      <Field.Root id={id}>
        <Field.Label>{t('profile.answer')}</Field.Label>
        <Textarea
          value={answer}
          onChange={event => setAnswer(event.target.value)}
          rows={5}
          fontFamily="mono"
          fontSize={{ base: '16px', md: '13px' }}
          spellCheck={false}
        />
        <Field.HelperText>{t(rule.endsWith('.body') ? 'profile.bodyhint' : 'profile.answerhint')}</Field.HelperText>
      </Field.Root>
      <Button size="sm" alignSelf="start" onClick={() => void run()}>
        <Play size={14} aria-hidden="true" />
        {t('profile.try')}
      </Button>
      {outcome === undefined || outcome.rule !== rule ? null : 'fault' in outcome.outcome ? (
        <Text role="status" color="danger.fg">
          {outcome.outcome.fault === 'json' ? t('profile.nojson') : t('profile.fault', { code: outcome.outcome.fault })}
        </Text>
      ) : rule === 'events.list' ? (
        <Events value={outcome.outcome.value} />
      ) : (
        <Box as="pre" role="status" textStyle="code" whiteSpace="pre-wrap" overflowWrap="anywhere" m="0">
          {JSON.stringify(outcome.outcome.value, null, 2)}
        </Box>
      )}
    </Stack>
  )
}

const MAX_FAULTS = 5

/** The first faults of the text, with their lines. */
const Faults = ({ text }: { readonly text: string }) => {
  const { t } = useTranslation('entity/agentchannel')
  const faults = useMemo(() => profileFaults(text), [text])
  if (faults.length === 0) return null
  return (
    <Stack as="ul" gap="1" listStyleType="none" role="status">
      {faults.slice(0, MAX_FAULTS).map(fault => (
        <Text as="li" key={`${fault.path} ${fault.fault}`} textStyle="dense" color="danger.fg">
          {t('profile.line', { line: fault.line, text: t(`profile.faults.${fault.fault}`, faultKey(fault)) })}
        </Text>
      ))}
    </Stack>
  )
}

/** The declared protocol of an agent system: an editor with completion and faults, an example, and a trial of each rule. */
export const AgentProfileControl = ({ type, ...props }: CodeProps & { readonly type: string }) => {
  const { id, value, onChange, describedBy, invalid, rows } = props
  const { t } = useTranslation(['entity/agentchannel', 'shell'])
  const [isTrying, setTrying] = useState(false)
  const isFixed = props.readOnly === true || props.disabled === true
  const extension = useMemo(
    () => [
      agentProfileSupport(fault => t(`profile.faults.${fault.fault}`, faultKey(fault))),
      syntaxErrors(t('shell:form.json'), () => {}),
    ],
    [t],
  )
  const isPreset = type === 'avayaccaas'
  return (
    <Stack w="100%" gap="2">
      <Text textStyle="dense" color="fg.muted">
        {t(isPreset ? 'honest.avayaccaas' : 'honest.profile')}
      </Text>
      <Box w="100%" display="grid" opacity={props.disabled === true ? 0.5 : undefined}>
        <CodePane
          id={id}
          value={value}
          onChange={isFixed ? undefined : onChange}
          language="json"
          extension={extension}
          lineNumbers
          minHeight={`${Math.max(rows, value === '' ? 3 : 12) * LINE_PX}px`}
          maxHeight={`${28 * LINE_PX}px`}
          describedBy={describedBy}
          {...(invalid === true ? { invalid } : {})}
        />
      </Box>
      <Faults text={value} />
      <HStack gap="2" flexWrap="wrap">
        {isFixed || value.trim() !== '' ? null : (
          <Button
            size="sm"
            variant="outline"
            onClick={() => onChange(JSON.stringify(agentProfileExample(type), null, 2))}
          >
            <FileJson size={14} aria-hidden="true" />
            {t(isPreset ? 'profile.preset' : 'profile.example')}
          </Button>
        )}
        {value.trim() === '' ? null : (
          <Button size="sm" variant="outline" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
            <FlaskConical size={14} aria-hidden="true" />
            {t('profile.trial')}
          </Button>
        )}
      </HStack>
      {isTrying && value.trim() !== '' ? (
        <Box borderWidth="1px" borderRadius="lg" p="3" bg="bg.subtle">
          <RuleTrial text={value} />
        </Box>
      ) : null}
    </Stack>
  )
}
