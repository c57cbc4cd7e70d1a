import { Box, Button, chakra, Grid, HStack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ErrorLine } from '#web/components/error-state.tsx'
import { AccountMark } from '#web/features/simulatednumber/index.ts'
import { useBottomInset } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { STEPS, type Step, StepList } from './steps.tsx'

interface Props {
  readonly step: Step
  readonly name: string | undefined
  /** The account that it is sent from. */
  readonly account: string | null | undefined
  readonly done: Readonly<Partial<Record<Step, string>>>
  /** The message as people get it. */
  readonly aside: ReactNode
  readonly error: string | undefined
  readonly busy: boolean
  /** Of the button that ends the step; absent: nothing can be done yet. */
  readonly verb?: ReactNode
  onGo(step: Step): void
  onNext(): void
  readonly children: ReactNode
}

const Bar = ({ step, verb, busy, onGo, onNext }: Pick<Props, 'step' | 'verb' | 'busy' | 'onGo' | 'onNext'>) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const navigate = useNavigate()
  const bar = useBottomInset()
  const before = STEPS[STEPS.indexOf(step) - 1]
  const next = STEPS[STEPS.indexOf(step) + 1]
  return (
    <HStack ref={bar} px={{ base: '3', md: '6' }} py="3" gap="3" borderTopWidth="1px" bg="bg.surface" flexWrap="wrap">
      <Text textStyle="dense" color="fg.muted" flex="1" hideBelow="md">
        {next === undefined ? t('create.signed') : t('create.next', { step: t(`create.step.${next}`) })}
      </Text>
      <Button
        variant="ghost"
        onClick={() => {
          if (before === undefined) void navigate('/campaignmanagement/channel/app/campaign/search')
          else onGo(before)
        }}
      >
        {before === undefined ? t('shell:cancel') : t('create.back')}
      </Button>
      {verb === undefined ? null : (
        <Button variant="solid" loading={busy} onClick={onNext} ml={{ base: 'auto', md: '0' }}>
          {verb}
        </Button>
      )}
    </HStack>
  )
}

/** Layout of a campaign step: steps on the left, message on the right, buttons below. */
export const Frame = ({ step, name, account, done, aside, error, children, ...bar }: Props) => {
  const { t } = useTranslation('campaign')
  return (
    <Page
      title={t('create.title')}
      name={t('create.title')}
      beside={
        <>
          {name === undefined ? null : <chakra.code textStyle="code">{name}</chakra.code>}
          <AccountMark account={account} />
        </>
      }
      bar={<Bar step={step} {...bar} />}
    >
      <Grid
        gap={{ base: '4', lg: '6' }}
        templateColumns={{ base: 'minmax(0, 1fr)', lg: '220px minmax(0, 1fr)', xl: '230px minmax(0, 1fr) 320px' }}
        alignItems="start"
      >
        <StepList step={step} done={done} onGo={bar.onGo} />
        <Box minW="0">
          {error === undefined ? null : (
            <Box mb="4">
              <ErrorLine text={error} />
            </Box>
          )}
          {children}
        </Box>
        <chakra.aside aria-label={t('report.message')} gridColumn={{ base: 'auto', lg: '2', xl: 'auto' }} minW="0">
          {aside}
        </chakra.aside>
      </Grid>
    </Page>
  )
}
