import Foundation
import Testing

extension All {
  /// Saving and restoring a backup of a machine in the page: a whole appliance, and a thread that plays root.
  struct BackupPageTests {
    private static let view = "document.querySelector('#view-setup')"

    private static func open(isSetUp: Bool) throws -> (PlayedRoot, Stage, Browser) {
      let root = try PlayedRoot(isSetUp: isSetUp)
      let (stage, browser) = (try Stage("machine", folder: root.folder), try Browser())
      try browser.resize(390, 844, isPhone: true)
      if isSetUp {
        let token = "localStorage.setItem('grampad-token', '0123456789abcdef')"
        try browser.call("Page.addScriptToEvaluateOnNewDocument", ["source": token])
      }
      try browser.call("Page.navigate", ["url": stage.address + "#/setup"])
      let kind = isSetUp ? "machine" : "setup"
      try browser.wait("the view", until: "\(view)?.querySelector('[data-kind=\(kind)]')?.checkVisibility()")
      return (root, stage, browser)
    }

    private func press(_ text: String, _ browser: Browser) throws {
      let buttons = "[...\(Self.view).querySelectorAll('button')].filter(each => each.checkVisibility())"
      try browser.evaluate("\(buttons).find(each => each.textContent === '\(text)').click()")
    }

    /// Chooses a file of a text and zeros, as a user does in the dialog of the browser.
    private func choose(_ text: String, zeros: Int, _ browser: Browser) throws {
      try browser.evaluate(
        """
        {
          const files = new DataTransfer(), input = \(Self.view).querySelector('[type=file]');
          files.items.add(new File(['\(text)', new Uint8Array(\(zeros))], 'kitchen.tar'));
          input.files = files.files;
          input.dispatchEvent(new Event('change'));
        }
        """)
    }

    private func answer(_ choice: String, _ browser: Browser) throws {
      try browser.wait("a question", until: "document.querySelector('#ask').open")
      #expect(try browser.text("document.querySelector('#ask-title').textContent") == "Restore kitchen.tar?")
      #expect(try browser.text("document.querySelector('#ask-text').textContent").contains("are replaced by those"))
      try browser.photograph("backup-390-question")
      try browser.evaluate("document.querySelector('#ask-\(choice)').click()")
    }

    @Test func theOwnerSavesABackup() throws {
      let (root, stage, browser) = try Self.open(isSetUp: true)
      defer { withExtendedLifetime(stage) { root.end() } }
      #expect(try browser.text("\(Self.view).innerText").contains("Keep it secret: it contains passwords."))
      // The browser of the tests saves nothing: the link says what it would. The policy of the page forbids it to fetch a `blob:`.
      try browser.evaluate(
        """
        {
          const make = URL.createObjectURL, files = {};
          URL.createObjectURL = (file) => {
            const url = make.call(URL, file);
            files[url] = file;
            return url;
          };
          HTMLAnchorElement.prototype.click = function () {
            files[this.href].text().then((text) => window.saved = `${this.download} ${text}`);
          };
        }
        """)
      try press("Save a backup", browser)
      try browser.wait("it is saved", until: "window.saved")
      let saved = try browser.text("window.saved")
      #expect(saved.wholeMatch(of: /grampad-20[0-9-]{8}\.tar the backup/) != nil, "\(saved)")
      #expect(root.requests.map { $0["do"] } == ["backup"])
      try browser.photograph("backup-390-saved")
    }

    /// A file of several pieces arrives whole, once the owner has agreed; root's refusal is shown, and a backup restarts the machine.
    @Test(arguments: [false, true]) func aBackupIsRestored(_ isSetUp: Bool) throws {
      let (root, stage, browser) = try Self.open(isSetUp: isSetUp)
      defer { withExtendedLifetime(stage) { root.end() } }
      try choose("no backup", zeros: 10, browser)
      try answer("no", browser)
      #expect(root.uploads.isEmpty && root.requests.isEmpty)
      try choose("no backup", zeros: 150_000, browser)
      try answer("yes", browser)
      try browser.wait("why", until: "\(Self.view).innerText.includes('failed: it is not a backup')")
      #expect(root.uploads == [Data("no backup".utf8) + Data(count: 150_000)])
      try browser.photograph("backup-390-refused")
      try choose("the backup", zeros: 61_430, browser)
      try answer("yes", browser)
      try browser.wait("it restarts", until: "\(Self.view).innerText.includes('The machine restarts')")
      #expect(root.uploads.last == Data("the backup".utf8) + Data(count: 61_430))
      #expect(root.requests.map { $0["do"] } == ["restore", "restore"])
    }

    /// What is uploaded to a scale that is not there any longer says so.
    @Test func anUploadThatIsCutSaysSo() throws {
      let (root, stage, browser) = try Self.open(isSetUp: true)
      defer { withExtendedLifetime(stage) { root.end() } }
      try choose("the backup", zeros: 200_000, browser)
      try browser.setOffline(true)
      try answer("yes", browser)
      try browser.wait("why", until: "\(Self.view).innerText.includes('The backup was not uploaded')")
      #expect(root.requests.isEmpty)
    }
  }
}
