import { chakra, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, Copy, ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '#web/notice/use-copy.ts'
import { http } from '../api/http.ts'
import { IconButton } from './hint.tsx'

/** Base of the bots' own addresses; the console's until it is known. */
const useRouterUrl = (isAsked: boolean): string =>
  useQuery({
    queryKey: ['instance', 'router'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await http.get('/instance', { signal })).botrouterurl,
  }).data ?? location.origin

const COPIED_MS = 2000

interface Props {
  /** Path on the console's origin that the value is appended to; empty: the value is a path on the bot router. */
  readonly path: string
  readonly value: string
  readonly id?: string
  /** In a row of a list: without the host, and without a link that the row's own would compete with. */
  readonly compact?: boolean
}

/** True for a while after it was set. */
const useCopied = () => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return [isCopied, setCopied] as const
}

const OpenAddress = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('tool')
  return (
    <chakra.a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('address.open')}
      title={t('address.open')}
      display="inline-grid"
      placeItems="center"
      boxSize="7"
      borderRadius="md"
      color="fg.muted"
      _hover={{ color: 'fg', bg: 'bg.subtle' }}
      focusVisibleRing="outside"
    >
      <ExternalLink size={14} aria-hidden="true" />
    </chakra.a>
  )
}

/** An address on the console's origin or the bot router, to copy and to open. */
export const AddressText = ({ path, value, id, compact = false }: Props) => {
  const { t } = useTranslation('tool')
  const copy = useCopy()
  const [isCopied, setCopied] = useCopied()
  const router = useRouterUrl(path === '')
  if (value === '') return <chakra.span color="fg.subtle">–</chakra.span>
  const address = `${path === '' ? router : location.origin}${path}${value}`
  return (
    <HStack
      gap="1"
      minW="0"
      minH="8"
      role="group"
      aria-label={address}
      {...(id === undefined ? {} : { id })}
      {...(compact ? { position: 'relative', zIndex: 1 } : {})}
    >
      <chakra.code
        textStyle="code"
        minW="0"
        {...(compact ? { truncate: true } : { overflowWrap: 'anywhere' })}
        userSelect="all"
      >
        {compact ? value : address}
      </chakra.code>
      <IconButton
        icon={isCopied ? Check : Copy}
        iconSize={14}
        size="xs"
        label={t(isCopied ? 'address.copied' : 'address.copy')}
        onClick={() => void copy(address).then(setCopied)}
      />
      {compact ? null : <OpenAddress address={address} />}
    </HStack>
  )
}
