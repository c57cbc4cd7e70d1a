import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Ban, FlaskConical, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { folded } from '#schemas/fold-text.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { Segments } from '#web/components/segments.tsx'
import { momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import { type Persona, useIsSimulated } from './number-query.ts'

/** A number as people write it: +55 11 90000-0007. */
export const shownPhone = (phone: string): string => phone.replace(/^\+(\d{2})(\d{2})(\d{5})(\d{4})$/u, '+$1 $2 $3-$4')

const Row = ({
  persona,
  isChosen,
  onChoose,
}: {
  readonly persona: Persona
  readonly isChosen: boolean
  onChoose(): void
}) => {
  const { t } = useTranslation('simulatednumber')
  const { name, phone, behaviour, last, time, unread, blocked } = persona
  return (
    <chakra.button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      display="block"
      w="100%"
      textAlign="start"
      px="4"
      py="2.5"
      borderTopWidth="1px"
      cursor="pointer"
      bg={isChosen ? 'accent.subtle' : 'transparent'}
      _hover={{ bg: isChosen ? 'accent.subtle' : 'bg.subtle' }}
      focusVisibleRing="inside"
    >
      <HStack gap="2">
        <Text textStyle="card" flex="1" truncate>
          {name}
        </Text>
        {blocked ? (
          <Chip tone="danger" icon={Ban}>
            {t('people.blocked')}
          </Chip>
        ) : null}
        {unread > 0 ? <Chip tone="accent">{t('people.unread', { count: unread })}</Chip> : null}
      </HStack>
      <HStack gap="2" textStyle="secondary" color="fg.muted">
        <Text fontVariantNumeric="tabular-nums" flex="none">
          {shownPhone(phone)}
        </Text>
        <Text flex="1" textAlign="end" flexShrink={0} fontVariantNumeric="tabular-nums">
          {time === null ? '' : momentOf(time)}
        </Text>
      </HStack>
      <Text textStyle="secondary" color={last === '' ? 'fg.subtle' : 'fg.muted'} truncate>
        {last === '' ? t(`behaviour.${behaviour}`) : last}
      </Text>
    </chakra.button>
  )
}

interface Props {
  readonly personas: readonly Persona[]
  readonly chosen: number | undefined
  onChoose(persona: number): void
}

const byNewest = (one: Persona, other: Persona): number =>
  (other.time ?? '').localeCompare(one.time ?? '') || one.persona - other.persona

/** The people of a simulated number: those with messages first. */
export const PersonaList = ({ personas, chosen, onChoose }: Props) => {
  const { t } = useTranslation('simulatednumber')
  const [search, setSearch] = useState('')
  const [view, setView] = useState<'all' | 'with'>('all')
  const wanted = folded(search.trim())
  const digits = search.replaceAll(/\D/gu, '')
  const found = personas
    .filter(({ time }) => view === 'all' || time !== null)
    .filter(
      ({ name, phone }) => wanted === '' || folded(name).includes(wanted) || (digits !== '' && phone.includes(digits)),
    )
    .toSorted(byNewest)
  return (
    <Stack gap="0" minH="0" h="100%">
      <Stack gap="2" p="3">
        <SearchField label={t('people.find')} value={search} onChange={setSearch} />
        <Segments
          label={t('people.title')}
          value={view}
          options={(['all', 'with'] as const).map(value => ({ value, label: t(`people.${value}`) }))}
          onChange={next => setView(next === 'with' ? 'with' : 'all')}
        />
      </Stack>
      <Box flex="1" minH="0" overflowY="auto">
        {found.length === 0 ? <EmptyState small icon={Smartphone} title={t('people.none')} /> : null}
        {found.map(persona => (
          <Row
            key={persona.persona}
            persona={persona}
            isChosen={persona.persona === chosen}
            onChoose={() => onChoose(persona.persona)}
          />
        ))}
      </Box>
    </Stack>
  )
}

interface AddPersonasProps {
  readonly campaign: string
  readonly account: string | null | undefined
  /** The campaign has contacts already. */
  readonly isFurther: boolean
}

/** Adds the people of a simulated number to a campaign of that number; nothing at campaigns of others. */
export const AddPersonas = ({ campaign, account, isFurther }: AddPersonasProps) => {
  const { t } = useTranslation('simulatednumber')
  const { can } = useSession()
  const client = useQueryClient()
  const { isBusy, attempt } = useNoticedAttempt(t('next.contactsfailed'))
  const isSimulated = useIsSimulated(account)
  if (!isSimulated || typeof account !== 'string' || !can('createcontact')) return null
  const add = () =>
    attempt(async () => {
      const { added } = await http.post('/simulatednumber/{id}/contacts', {
        params: { id: account },
        body: { campaign },
      })
      await client.invalidateQueries({ queryKey: ['contact'] })
      notice.snack(t('next.contactsdone', { count: added }), { tone: 'positive' })
    })
  return (
    <Button variant={isFurther ? 'outline' : 'solid'} loading={isBusy} onClick={() => void add()}>
      <FlaskConical size={15} aria-hidden="true" />
      {t('next.contacts')}
    </Button>
  )
}
