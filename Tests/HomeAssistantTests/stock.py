"""A small server that answers the requests of the automations as Grocy and Spoolman document it.

Grocy: grocy.openapi.json, `/stock/products/by-barcode/{barcode}/inventory` and `/consume`. Spoolman: its OpenAPI,
`PUT /api/v1/spool/{spool_id}/measure`. A request that neither would accept is answered with an error, as they do, and is kept
in `refused`.
"""

import http.server
import json
import re
import threading
import urllib.parse


class Stock:
    KEY = "0123456789abcdefghij"
    FLOUR, SPOOL = "4006381333931", 12

    def __init__(self):
        self.flour = 1000.0
        # By the number of the spool: the initial filament, the empty spool, and what is used.
        self.spools = {self.SPOOL: {"initial_weight": 1000.0, "spool_weight": 0.5, "used_weight": 0.0}}
        self.bookings, self.refused = [], []
        stock = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def handle_request(self):
                size = int(self.headers.get("Content-Length") or 0)
                status, answer = stock.answer(
                    self.command, urllib.parse.unquote(self.path), self.headers, self.rfile.read(size))
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, method, path, headers, body):
        """Returns the status and the body of the answer."""
        status, answer = 404, {"error_message": "no such route"}
        try:
            fields = json.loads(body) if headers.get_content_type() == "application/json" else None
            if grocy := re.fullmatch(r"/grocy/api/stock/products/by-barcode/([^/]+)/(inventory|consume)", path):
                status, answer = self.grocy(method, headers, fields, *grocy.groups())
            elif spoolman := re.fullmatch(r"/spoolman/api/v1/spool/(\d+)/measure", path):
                status, answer = self.spoolman(method, fields, int(spoolman[1]))
        except (ValueError, KeyError, TypeError) as error:
            status, answer = 400, {"error_message": repr(error), "message": repr(error)}
        (self.bookings if status == 200 else self.refused).append((method, path, body.decode()))
        return status, answer

    def grocy(self, method, headers, fields, barcode, booking):
        if headers.get("GROCY-API-KEY") != self.KEY:
            return 401, {"error_message": "Unauthorized"}
        if method != "POST":
            return 405, {"error_message": "Method not allowed"}
        amount = float(fields["new_amount" if booking == "inventory" else "amount"])
        if barcode != self.FLOUR:
            return 400, {"error_message": "No product with barcode " + barcode + " found"}
        if booking == "inventory":
            if amount == self.flour:
                return 400, {"error_message": "The new amount cannot equal the current stock amount"}
            self.flour = amount
        elif amount > self.flour:
            return 400, {"error_message": "Amount to be consumed cannot be > current stock amount"}
        else:
            self.flour -= amount
        return 200, [{"product_id": 1, "amount": amount, "transaction_type": booking}]

    def spoolman(self, method, fields, number):
        if method != "PUT":
            return 405, {"detail": "Method Not Allowed"}
        if set(fields) != {"weight"} or not isinstance(fields["weight"], (int, float)):
            return 422, {"detail": "weight"}
        if number not in self.spools:
            return 400, {"message": "Spool not found."}
        spool = self.spools[number]
        remaining = max(0.0, fields["weight"] - spool["spool_weight"])
        spool["used_weight"] = max(0.0, spool["initial_weight"] - remaining)
        return 200, {"id": number, "remaining_weight": remaining, **spool}
