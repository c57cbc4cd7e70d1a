import { Button, chakra, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { useElapsed } from '#web/use-elapsed.ts'
import type { FlowNames } from './flow-names.ts'
import type { FlowAddress } from './room/flow-address.ts'

/** After so long it is asked whether the flow can be read at all, and later said that it does not come. */
const ASK_AFTER = 4000
const TELL_AFTER = 20_000

interface UnloadedProps {
  readonly address: FlowAddress
  readonly names: FlowNames
}

/** Instead of a flow that has not come yet: its frame, and after a while why it does not come. */
export const Unloaded = ({ address, names }: UnloadedProps) => {
  const { t } = useTranslation('designer')
  const { kind, id } = address
  const asking = useElapsed(ASK_AFTER)
  const late = useElapsed(TELL_AFTER)
  const { error } = useQuery({
    queryKey: [kind, id, 'readable'],
    queryFn: () => http.get('/{kind}/{id}/flow', { params: { kind, id } }).then(() => true),
    enabled: asking,
    retry: false,
    gcTime: 0,
  })
  const failed = names.missing ?? error
  if (failed === null && !late) return <DesignerSkeleton />
  // The server is there and cannot read what it holds.
  const isInvalid = isProblem(error, 500)
  const task = names.flow?.dialogtask
  return (
    <HStack
      role="alert"
      m="auto"
      p="6"
      gap="4"
      w="calc(100% - 32px)"
      maxW="560px"
      align="flex-start"
      borderWidth="1px"
      borderRadius="lg"
    >
      <CircleAlert size={20} aria-hidden style={{ flex: 'none' }} />
      <chakra.div display="grid" gap="2">
        <chakra.h1 textStyle="title">{isInvalid ? t('failure.invalid') : t(`failure.load.${kind}`)}</chakra.h1>
        <chakra.p fontSize="sm" color="fg.muted">
          {isInvalid ? t('failure.invalidText') : failureOf(failed, t('failure.goesOn'))}
        </chakra.p>
        <HStack gap="2">
          <Button variant="solid" colorPalette="accent" onClick={() => location.reload()}>
            {t('again')}
          </Button>
          {task === undefined ? null : (
            <Button variant="ghost" asChild>
              <Link to={`/dialogtask/${task}`}>{t('bar.back')}</Link>
            </Button>
          )}
        </HStack>
      </chakra.div>
    </HStack>
  )
}
