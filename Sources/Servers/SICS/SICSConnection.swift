import NIOCore

/// Passes what happens on a connection to its client.
final class SICSConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let client: SICSClient

  init(_ client: SICSClient) { self.client = client }

  func channelActive(context: ChannelHandlerContext) { client.begin(on: context.channel) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    client.receive(Self.unwrapInboundIn(data).readableBytesView)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { client.endInput() }
  }

  func channelInactive(context: ChannelHandlerContext) { client.end(on: context.channel) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
