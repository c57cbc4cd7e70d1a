import { Box, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type StoryStep, stepsOf } from '#domain/nlu/check-story.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { Json } from '#schemas/event.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { useDebouncedValue } from '#web/timer.ts'
import type { SectionPreviewProps } from './section-control-props.ts'

type Fault = AnswerOf<'POST /nluproject/{id}/checkstory'>['faults'][number]

/** Steps are checked when nobody has typed for so long. */
const DEBOUNCE_MS = 400

const useFaults = (project: string, story: string | null, steps: readonly StoryStep[]) => {
  // A step without a name is only being made.
  const named = steps.filter(({ name }) => name !== '')
  return useQuery({
    queryKey: ['story', 'check', project, story, named],
    queryFn:
      project === '' || named.length < steps.length || steps.length === 0
        ? skipToken
        : ({ signal }) =>
            http.post('/nluproject/{id}/checkstory', {
              params: { id: project },
              body: { story, steps: named.map(step => ({ ...step })) },
              signal,
            }),
    placeholderData: before => before,
  })
}

const FaultLine = ({ fault: { code, step, name, other } }: { readonly fault: Fault }) => {
  const { t } = useTranslation('entity/story')
  const waits = t('check.waits')
  const texts = { name: name || waits, other: other?.name ?? '', does: other?.does || waits }
  return (
    <Box as="li" textStyle="dense">
      {step === null ? null : (
        <Text as="span" fontWeight="semibold">
          {t('check.step', { number: step + 1 })}{' '}
        </Text>
      )}
      {t(`check.fault.${code}`, texts)}
      {other === undefined ? null : (
        <>
          {' '}
          <RouterLink
            to={`/story/${other.id}`}
            color="accent.fg"
            _hover={{ textDecoration: 'underline' }}
            focusVisibleRing="outside"
          >
            {t('check.open', { other: other.name })}
          </RouterLink>
        </>
      )}
    </Box>
  )
}

/** Faults of the edited story: unknown names, unreachable steps, contradictions. */
export const StoryCheck = ({ id, values }: SectionPreviewProps) => {
  const { t } = useTranslation('entity/story')
  const steps = useDebouncedValue(JSON.stringify(stepsOf(values.steps as Json)), DEBOUNCE_MS)
  const project = typeof values.nluproject === 'string' ? values.nluproject : ''
  const { data, error } = useFaults(project, id ?? null, JSON.parse(steps))
  const faults = data?.faults ?? []
  return (
    <chakra.section
      aria-label={t('check.title')}
      position={{ xl: 'sticky' }}
      top="4"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      p="4"
    >
      <Text as="h3" textStyle="card" mb="2">
        {t('check.title')}
      </Text>
      {error ? <ErrorLine text={t('check.failed')} /> : null}
      <Box role="status">
        {data === undefined ? (
          <Text textStyle="dense" color="fg.muted">
            {t('check.hint')}
          </Text>
        ) : faults.length === 0 ? (
          <HStack gap="2" color="positive.fg" textStyle="dense">
            <CircleCheck size={16} aria-hidden="true" />
            {t('check.none')}
          </HStack>
        ) : (
          <>
            <HStack gap="2" color="warning.fg" textStyle="dense" fontWeight="semibold" mb="2">
              <TriangleAlert size={16} aria-hidden="true" />
              {t('check.some', { count: faults.length })}
            </HStack>
            <Stack as="ul" listStyleType="none" gap="2">
              {faults.map(fault => (
                <FaultLine key={`${fault.code} ${fault.step} ${fault.other?.id}`} fault={fault} />
              ))}
            </Stack>
          </>
        )}
      </Box>
    </chakra.section>
  )
}
