import { Box, Grid, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Smartphone } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useParams } from 'react-router'
import { MAX_SPEED, PERSONAS } from '#domain/campaign/simulated-number.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { NumberPanel } from './number-panel.tsx'
import { NUMBER_KEY, numberQuery, numbersQuery } from './number-query.ts'
import { PersonaList } from './persona-list.tsx'
import { Phone } from './phone.tsx'
import { SimulatedChip } from './simulated-chip.tsx'
import { phoneAddress, TryWithoutMeta } from './try-without-meta.tsx'

/** A whole number of an address, within its limits. */
const wholeIn = (text: string | null, min: number, max: number): number | undefined => {
  const value = /^\d{1,3}$/u.test(text ?? '') ? Number(text) : undefined
  return value !== undefined && value >= min && value <= max ? value : undefined
}

/** `?speed=` of the address sets the clock of the number once. */
const useAskedSpeed = (id: string): void => {
  const { params } = useAddress()
  const { can, user } = useSession()
  const client = useQueryClient()
  const speed = wholeIn(params.get('speed'), 1, MAX_SPEED)
  const maySet = can('updatemetaaccount') && user.seenby === undefined
  useEffect(() => {
    if (speed === undefined || !maySet) return
    void http
      .post('/simulatednumber/{id}/clock', { params: { id }, query: { speed } })
      .then(() => client.invalidateQueries({ queryKey: [NUMBER_KEY, id] }))
      .catch(() => undefined)
  }, [id, speed, maySet, client])
}

const Band = () => {
  const { t } = useTranslation('simulatednumber')
  return (
    <HStack
      role="note"
      colorPalette="warning"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      borderWidth="1px"
      borderRadius="lg"
      px="4"
      py="2.5"
      gap="2.5"
      mb="4"
      textStyle="dense"
      align="start"
    >
      <FlaskConical size={16} aria-hidden="true" style={{ flex: 'none', marginTop: 2 }} />
      <Text>{t('band')}</Text>
    </HStack>
  )
}

const Opened = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('simulatednumber')
  const { params, put } = useAddress()
  useAskedSpeed(id)
  const { data, error, refetch } = useQuery(numberQuery(id))
  const persona = wholeIn(params.get('persona'), 0, PERSONAS - 1)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  const height = { base: 'calc(100dvh - 240px)', lg: 'calc(100dvh - 220px)' }
  const pane = { bg: 'bg.surface', borderWidth: '1px', borderRadius: 'lg', overflow: 'hidden', minH: '420px' } as const
  return (
    <Grid
      gap="4"
      templateColumns={{
        base: 'minmax(0, 1fr)',
        lg: 'minmax(0, 320px) minmax(0, 1fr)',
        xl: 'minmax(0, 340px) minmax(0, 1fr) 290px',
      }}
      alignItems="start"
    >
      <Box {...pane} h={height} display={{ base: persona === undefined ? 'block' : 'none', lg: 'block' }}>
        <PersonaList personas={data.personas} chosen={persona} onChoose={chosen => put({ persona: String(chosen) })} />
      </Box>
      <Box
        {...pane}
        h={height}
        display={{ base: persona === undefined ? 'none' : 'flex', lg: 'flex' }}
        flexDirection="column"
      >
        {persona === undefined ? (
          <Box m="auto">
            <EmptyState icon={Smartphone} title={t('phone.choose')} />
          </Box>
        ) : (
          <Phone key={`${id} ${persona}`} account={id} persona={persona} onBack={() => put({ persona: undefined })} />
        )}
      </Box>
      <Box
        gridColumn={{ lg: '1 / -1', xl: 'auto' }}
        display={{ base: persona === undefined ? 'block' : 'none', lg: 'block' }}
      >
        <NumberPanel number={data} />
      </Box>
    </Grid>
  )
}

interface NumbersProps {
  readonly id: string
  readonly items: readonly { readonly id: string; readonly name: string; readonly phone: string }[]
}

const Numbers = ({ id, items }: NumbersProps) => {
  const { t } = useTranslation('simulatednumber')
  const navigate = useNavigate()
  return (
    <Stack maxW="340px" mb="4">
      <LabelledSelect
        label={t('panel.choose')}
        value={id}
        options={items.map(each => [each.id, `${each.phone} · ${each.name}`])}
        onChange={chosen => void navigate(phoneAddress(chosen))}
      />
    </Stack>
  )
}

/** /campaignmanagement/phone/{account}: the phones of a simulated number's people. */
export const PhonePage = () => {
  const { t } = useTranslation(['simulatednumber', 'tool'])
  const { id } = useParams()
  const { can } = useSession()
  useEntityTexts(['bot'])
  const { data, error, refetch } = useQuery({ ...numbersQuery, enabled: can('readmetaaccount') })
  if (!can('readmetaaccount')) return <ErrorMessage code="403" />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageSkeleton />
  const [first] = data.items
  if (id === undefined && first !== undefined) return <Navigate replace to={phoneAddress(first.id)} />
  return (
    <Page
      title={t('title')}
      beside={<SimulatedChip />}
      {...(id === undefined ? { purpose: t('tool:purpose.simulatednumber') } : {})}
    >
      {id === undefined ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <TryWithoutMeta />
        </Box>
      ) : (
        <>
          <Band />
          {data.items.length > 1 ? <Numbers id={id} items={data.items} /> : null}
          <Opened key={id} id={id} />
        </>
      )}
    </Page>
  )
}
